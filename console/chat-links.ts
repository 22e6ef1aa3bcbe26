/** A chat application that one's key can be opened in. */
export interface ChatLink {
  name: string
  /** Its address, with `{key}` and `{address}` where those of the person go. */
  template: string
}

interface ChatSettings {
  /** `[{"name": "template"}]`, in the order of `/chat/:id`. */
  chats: unknown
  /** Older settings: the addresses of two applications, as a rule without placeholders. */
  chat_link: string
  chat_link2: string
}

/** Addresses that would run as a script of this page, or read what lies on the machine. */
const UNSAFE = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'])

/** The configured list, in its order; undefined when it cannot be read. */
export function readChatLinks(chats: unknown): ChatLink[] | undefined {
  if (!Array.isArray(chats)) return undefined
  const links: ChatLink[] = []
  for (const entry of chats) {
    if (typeof entry !== 'object' || entry === null) return undefined
    const [[name, template] = [], ...others] = Object.entries(entry)
    if (name === undefined || typeof template !== 'string' || others.length > 0) return undefined
    links.push({ name, template })
  }
  return links
}

/** The list, and behind it the applications of the older settings; undefined when the list cannot be read. */
export function allChatLinks({ chats, chat_link, chat_link2 }: ChatSettings): ChatLink[] | undefined {
  const links = readChatLinks(chats)
  const older = [chat_link, chat_link2]
    .filter(Boolean)
    .map((link) => ({ name: hostOf(link), template: olderTemplate(link) }))
  return links && [...links, ...older]
}

/** Where an application opens with that key; undefined when its template makes no address that may be opened. */
export function chatAddress(template: string, { address, key }: { address: string; key: string }): string | undefined {
  const filled = template.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)
  if (!URL.canParse(filled)) return undefined
  const { href, protocol } = new URL(filled)
  return UNSAFE.has(protocol) ? undefined : href
}

/** What a person knows the receiver of a key by: the host of a site, or the scheme of an application on the device. */
export function siteOf(address: string): string {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** The older settings name an installation of NextChat, which takes its settings behind the hash. */
function olderTemplate(link: string): string {
  return link.includes('{key}') ? link : `${link.replace(/\/+$/, '')}/#/?settings={"key":"{key}","url":"{address}"}`
}

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).host : link
}
