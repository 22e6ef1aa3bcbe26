import type { ErrorCode, GatewayError, Params } from '../errors.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { type CoreTextId, textIn } from './texts.ts'
import { zh } from './zh.ts'

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>> & Readonly<Record<ErrorCode, string>>>> = {
  en: en.error,
  zh: zh.error,
}

/** Names of parameters with which an error has a longer text: RATE_LIMITED has RATE_LIMITED_retryAfterSeconds. */
const LONGER = new Map(
  Object.keys(TEXTS.en).flatMap((id) => {
    const [, code, name] = /^([A-Z_]+)_([a-z]\w*)$/.exec(id) ?? []
    return code === undefined || name === undefined ? [] : [[code, name] as const]
  }),
)

/** Returns an error's text with its parameters; `amount_en` is the English form of `amount`. */
export function errorText({ code, params }: GatewayError, language: Language): string {
  const suffix = `_${language}`
  const own = Object.entries(params).filter(([name]) => name.endsWith(suffix))
  const named = { ...params, ...Object.fromEntries(own.map(([name, value]) => [name.slice(0, -suffix.length), value])) }
  return textIn(language, idOf(code, params), named)
}

function idOf(code: ErrorCode, params: Params): CoreTextId {
  const name = LONGER.get(code)
  return (name === undefined || params[name] === undefined ? `error.${code}` : `error.${code}_${name}`) as CoreTextId
}

/**
 * Returns the parameters that the error's texts contain in any language. Others are only for the log: they may reveal things to a
 * rejected caller.
 */
export function shownParams({ code, params }: GatewayError): Params {
  const ids = [code, `${code}_${LONGER.get(code)}`]
  const templates = Object.values(TEXTS).flatMap((texts) => ids.map((id) => texts[id] ?? ''))
  // A parameter can have a form for one language, such as `minimum_en`.
  const isShown = (name: string) =>
    templates.some((template) => template.includes(`{{${name.replace(/_(en|zh)$/, '')}}}`))
  return Object.fromEntries(Object.entries(params).filter(([name]) => isShown(name)))
}
