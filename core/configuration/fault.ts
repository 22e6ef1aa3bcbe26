import { GatewayError } from '../errors.ts'
import type { Language } from '../messages/language.ts'
import { errorText } from '../messages/messages.ts'
import { asParams, type CoreTextId, inBoth, textIn } from '../messages/texts.ts'
import type { MessageValues } from '../messages/translate.ts'

/** Returns an error about the entry at a path of a document. */
export function faultAt(path: string, id: CoreTextId, values?: MessageValues): GatewayError {
  return faultOf(path, inBoth(id, values))
}

function faultOf(path: string, reasons: Readonly<Record<Language, string>>): GatewayError {
  const at = (language: Language) => textIn(language, 'configuration.at', { path, reason: reasons[language] })
  return new GatewayError('CONFIGURATION_INVALID', asParams('reason', { en: at('en'), zh: at('zh') }))
}

type Kind = 'user' | 'team' | 'member' | 'token' | 'group' | 'channel' | 'key'

/** Returns the error for a name that does not exist. */
export function unknownAt(path: string, kind: Kind, name: string): GatewayError {
  const unknown = (language: Language) =>
    textIn(language, 'configuration.unknown', { kind: textIn(language, `kind.${kind}`), name })
  return faultOf(path, { en: unknown('en'), zh: unknown('zh') })
}

/** Checks the entry at a path of a document. Adds the path to errors. */
export function checkedAt<T>(path: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw withPath(path, error)
  }
}

/** Writes the entry at a path of a document. Adds the path to errors of the kind `invalid`. */
export async function writtenAt(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw error instanceof GatewayError && error.kind === 'invalid' ? withPath(path, error) : error
  }
}

function withPath(path: string, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code === 'CONFIGURATION_INVALID') return error
  return faultOf(path, { en: errorText(error, 'en'), zh: errorText(error, 'zh') })
}
