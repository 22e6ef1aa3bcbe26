/** The raw request and response of a reply, only in memory, because they are too large for browser storage. */
export interface RawExchange {
  request: string
  response: string
}

/** Maximum length of a raw response. The rest of a longer stream is similar, so it is omitted. */
const CHARACTERS_MAX = 200_000
/** Maximum number of exchanges in memory. The oldest exchange is removed first. */
const EXCHANGES_MAX = 50

const exchanges = new Map<string, RawExchange>()

export function startRaw(replyId: string, request: object): void {
  exchanges.set(replyId, { request: JSON.stringify(request, undefined, 2), response: '' })
  const [oldest] = exchanges.keys()
  if (exchanges.size > EXCHANGES_MAX && oldest !== undefined) exchanges.delete(oldest)
}

export function addRaw(replyId: string, data: string): void {
  const raw = exchanges.get(replyId)
  if (raw && raw.response.length < CHARACTERS_MAX) raw.response += `data: ${data}\n\n`
}

export const rawOf = (replyId: string): RawExchange | undefined => exchanges.get(replyId)
