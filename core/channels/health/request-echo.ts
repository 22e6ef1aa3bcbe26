/*
 * An upstream's error may repeat the client's text. A client that writes that an account is empty, or that a model does not
 * exist, must not disable a channel.
 */

/** The parts of a client's request that an upstream's error may repeat or be about. */
export interface RequestEcho {
  /** All text from the client that the upstream may have read: decoded texts, in the body, forms, query and headers. */
  readonly texts: readonly string[]
  /** Names of its fields: most are common words, so that only a whole phrase within one is evidence. */
  readonly names: readonly string[]
  /** The client's and the upstream's names of the requested model. `texts` does not contain the model field. */
  readonly models: readonly string[]
  /** Whether it has headers by which a vendor decides an account's permissions. */
  readonly hasPermissionHeaders: boolean
  /** Whether it names an object stored at the upstream: a file, a cache, an earlier response. */
  readonly namesStoredObject: boolean
}

export const NO_ECHO: RequestEcho = {
  texts: [],
  names: [],
  models: [],
  hasPermissionHeaders: false,
  namesStoredObject: false,
}

/** Shorter texts are words that a message may contain by chance. */
const OWN_LENGTH_MIN = 8
/** Vendors truncate repeated text: this much of its beginning locates it. */
const BEGINNING_LENGTH = 16
/** The part of a text from which its beginning is taken: texts are many, and long. */
const SEARCHED_LENGTH = 256

/** Returns the message normalized for comparisons: an echo may differ in line breaks and case. */
export function folded(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase()
}

/** Whether the upstream's message contains one of these phrases (one per line) that is not an echo of the request. */
export function hasUnechoedPhrase(message: string, phrases: string, requestEcho: () => RequestEcho): boolean {
  const text = folded(message)
  const normalizedPhrases = phrases.split('\n').map((line) => folded(line).trim())
  const contained = normalizedPhrases.filter((phrase) => phrase !== '' && text.includes(phrase))
  if (contained.length === 0) return false
  const request = requestEcho()
  const rest = withoutEcho(message, request)
  const clientText = folded([...request.texts, ...request.names].join('\n'))
  return contained.some((phrase) => rest.includes(phrase) && !clientText.includes(phrase))
}

/** Returns a folded message without echoes of the client's texts. */
export function withoutEcho(message: string, { texts }: RequestEcho): string {
  let rest = folded(message)
  const echoes = new Set<string>()
  for (const text of texts) {
    const trimmed = text.trimStart()
    const start = folded(trimmed.slice(0, SEARCHED_LENGTH)).trimEnd().slice(0, BEGINNING_LENGTH)
    // Of a text longer than the message, the message can only contain the beginning.
    if (start.length >= OWN_LENGTH_MIN && rest.includes(start))
      echoes.add(folded(trimmed.slice(0, message.length)).trimEnd())
  }
  for (const text of [...echoes].sort((a, b) => b.length - a.length)) rest = cut(rest, text)
  return rest
}

function cut(message: string, text: string): string {
  const beginning = text.slice(0, BEGINNING_LENGTH)
  let rest = message
  for (let at = rest.indexOf(beginning); at >= 0; at = rest.indexOf(beginning, at + 1)) {
    let length = beginning.length
    while (length < text.length && rest[at + length] === text[length]) length += 1
    rest = `${rest.slice(0, at)} ${rest.slice(at + length)}`
  }
  return rest
}

/** Whether a message names the requested model, other than as an echo. */
export function namesModel(message: string, request: RequestEcho): boolean {
  const rest = withoutEcho(message, request)
  return request.models.some((model) => {
    const name = folded(model)
    if (name === '' || !wordIn(rest, name)) return false
    return !request.texts.some((text) => text.length === model.length && folded(text) === name)
  })
}

/** Returns a folded message without the model's names, which may contain any words. */
export function withoutModels(message: string, { models }: RequestEcho): string {
  return models.reduce((rest, model) => (model === '' ? rest : rest.replaceAll(folded(model), ' ')), message)
}

/** `gpt-4o` does not name `gpt-4`. */
function wordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + word.length] ?? ' ')) return true
  }
  return false
}
