import type { TFunction } from 'i18next'

/** A chat application that opens with the user's key in its address. */
export interface ChatLink {
  name: string
  /** The application's address, with the placeholders `{key}` and `{address}`. */
  template: string
}

interface ChatSettings {
  /** A list such as `[{"name": "template"}]`. The `id` in `/chat/:id` is an index of this list. */
  chats: unknown
  /** An older setting with an application's address, usually without placeholders; empty if not set. */
  chat_link: string
  /** A second older setting, in the same format. */
  chat_link2: string
}

/** URL schemes that could run a script in this page or read local data. */
const UNSAFE = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'])

/** Parses the setting `chats` and keeps its order. Returns undefined if the setting is invalid. */
export function readChatLinks(chats: unknown): ChatLink[] | undefined {
  if (!Array.isArray(chats)) return undefined
  const links: ChatLink[] = []
  for (const entry of chats) {
    if (typeof entry !== 'object' || entry === null) return undefined
    const [[name, template] = [], ...otherEntries] = Object.entries(entry)
    if (name === undefined || typeof template !== 'string' || otherEntries.length > 0) return undefined
    links.push({ name, template })
  }
  return links
}

/** The default applications of a new installation. The server stores their names in Chinese. */
const BUILT_IN: ReadonlyMap<string, 'nextChat' | 'lobeChat' | 'ama'> = new Map([
  ['ChatGPT Next Web 官方示例', 'nextChat'],
  ['Lobe Chat 官方示例', 'lobeChat'],
  ['AMA 问天', 'ama'],
])

/**
 * Returns the applications of `chats`, then of the older settings `chat_link` and `chat_link2`; undefined if `chats` is
 * invalid. If `t` is given, names of default applications are translated. All other names stay as the operator wrote
 * them.
 */
export function allChatLinks({ chats, chat_link, chat_link2 }: ChatSettings, t?: TFunction): ChatLink[] | undefined {
  const links = readChatLinks(chats)?.map(({ name, template }) => {
    const builtIn = BUILT_IN.get(name)
    return { name: t && builtIn ? t(`chatLink.${builtIn}`) : name, template }
  })
  const olderLinks = [chat_link, chat_link2]
    .filter(Boolean)
    .map((link) => ({ name: hostOf(link), template: olderTemplate(link) }))
  return links && [...links, ...olderLinks]
}

/** Fills in the placeholders of a template. Returns undefined if the result is no URL or has an unsafe scheme. */
export function chatAddress(template: string, { address, key }: { address: string; key: string }): string | undefined {
  const filled = template.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)
  if (!URL.canParse(filled)) return undefined
  const { href, protocol } = new URL(filled)
  return UNSAFE.has(protocol) ? undefined : href
}

/** Returns the host of an http(s) address. For an application on the device, returns the scheme, such as `ama:`. */
export function siteOf(address: string): string {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** Older settings are addresses of NextChat, which reads the key and the gateway's address from the URL fragment. */
function olderTemplate(link: string): string {
  return link.includes('{key}') ? link : `${link.replace(/\/+$/, '')}/#/?settings={"key":"{key}","url":"{address}"}`
}

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).host : link
}
