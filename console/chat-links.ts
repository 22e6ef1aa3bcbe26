import type { TFunction } from 'i18next'

/** A chat application that can be opened with the user's key. */
export interface ChatLink {
  name: string
  /** The application's address, with the placeholders `{key}` and `{address}`. */
  template: string
}

interface ChatSettings {
  /** `[{"name": "template"}]`, in the order of `/chat/:id`. */
  chats: unknown
  /** Older settings: the addresses of two applications, usually without placeholders. */
  chat_link: string
  chat_link2: string
}

/** Schemes that would run a script in this page or read local data. */
const UNSAFE = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'])

/** Parses the configured list, in its order; undefined if invalid. */
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

/** The applications of a new installation, which the server stores with Chinese names. */
const BUILT_IN: ReadonlyMap<string, 'nextChat' | 'lobeChat' | 'ama'> = new Map([
  ['ChatGPT Next Web 官方示例', 'nextChat'],
  ['Lobe Chat 官方示例', 'lobeChat'],
  ['AMA 问天', 'ama'],
])

/**
 * Returns the list, followed by the applications of the older settings; undefined if the list is invalid. The built-in names are
 * in the reader's language if `t` is given, others as the operator wrote them.
 */
export function allChatLinks({ chats, chat_link, chat_link2 }: ChatSettings, t?: TFunction): ChatLink[] | undefined {
  const links = readChatLinks(chats)?.map(({ name, template }) => {
    const builtIn = BUILT_IN.get(name)
    return { name: t && builtIn ? t(`chatLink.${builtIn}`) : name, template }
  })
  const older = [chat_link, chat_link2]
    .filter(Boolean)
    .map((link) => ({ name: hostOf(link), template: olderTemplate(link) }))
  return links && [...links, ...older]
}

/** Returns the address that opens an application with the key; undefined if the template gives no safe address. */
export function chatAddress(template: string, { address, key }: { address: string; key: string }): string | undefined {
  const filled = template.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)
  if (!URL.canParse(filled)) return undefined
  const { href, protocol } = new URL(filled)
  return UNSAFE.has(protocol) ? undefined : href
}

/** Returns a name for the receiver of a key: the host of a site, or the scheme of an application on the device. */
export function siteOf(address: string): string {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** The older settings name a NextChat installation, which reads its settings from the hash. */
function olderTemplate(link: string): string {
  return link.includes('{key}') ? link : `${link.replace(/\/+$/, '')}/#/?settings={"key":"{key}","url":"{address}"}`
}

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).host : link
}
