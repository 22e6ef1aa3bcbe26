// An upstream's error may repeat the client's text, and a client may write that an account is empty or that a model
// does not exist. Such an echo must not disable a channel.

/** The parts of a client's request that an upstream's error may repeat or refer to. */
export interface RequestEcho {
  /** All decoded texts of the client that the upstream may have read, from the body, forms, query and headers. */
  readonly texts: readonly string[]
  /** Names of the request's fields. They are only compared with phrases, because most are common words. */
  readonly names: readonly string[]
  /** The client's and the upstream's names of the requested model. `texts` does not contain the model field. */
  readonly models: readonly string[]
  /** Whether the request has headers by which a vendor decides about an account's permissions. */
  readonly hasPermissionHeaders: boolean
  /** Whether the request names an object stored at the upstream, such as a file, a cache or an earlier response. */
  readonly namesStoredObject: boolean
}

export const NO_ECHO: RequestEcho = {
  texts: [],
  names: [],
  models: [],
  hasPermissionHeaders: false,
  namesStoredObject: false,
}

/** Minimum length of an echo. A message may contain shorter texts by chance. */
const ECHO_LENGTH_MIN = 8
/** Length of the beginning by which an echo is found. Vendors truncate repeated text, so the end may be missing. */
const BEGINNING_LENGTH = 16
/** Number of characters that are normalized to get a text's beginning, because requests may have many long texts. */
const SEARCHED_LENGTH = 256

/** Returns text normalized for comparisons, because an echo may differ in line breaks and case. */
function normalizeEcho(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase()
}

/** Returns whether the message contains one of these phrases (one per line) that is not an echo of the request. */
export function hasUnechoedPhrase(message: string, phrases: string, requestEcho: () => RequestEcho): boolean {
  const text = normalizeEcho(message)
  const normalizedPhrases = phrases.split('\n').map((line) => normalizeEcho(line).trim())
  const contained = normalizedPhrases.filter((phrase) => phrase !== '' && text.includes(phrase))
  if (contained.length === 0) return false
  const request = requestEcho()
  const unechoedText = withoutEcho(message, request)
  const clientText = normalizeEcho([...request.texts, ...request.names].join('\n'))
  return contained.some((phrase) => unechoedText.includes(phrase) && !clientText.includes(phrase))
}

/** Returns the normalized message without echoes of the client's texts. */
export function withoutEcho(message: string, { texts }: RequestEcho): string {
  let unechoedText = normalizeEcho(message)
  const echoes = new Set<string>()
  for (const text of texts) {
    const trimmed = text.trimStart()
    const start = normalizeEcho(trimmed.slice(0, SEARCHED_LENGTH)).trimEnd().slice(0, BEGINNING_LENGTH)
    // If a text is longer than the message, the message can only contain its beginning.
    if (start.length >= ECHO_LENGTH_MIN && unechoedText.includes(start))
      echoes.add(normalizeEcho(trimmed.slice(0, message.length)).trimEnd())
  }
  for (const text of [...echoes].sort((a, b) => b.length - a.length)) unechoedText = removeEcho(unechoedText, text)
  return unechoedText
}

function removeEcho(message: string, text: string): string {
  const beginning = text.slice(0, BEGINNING_LENGTH)
  let unechoedText = message
  for (let at = unechoedText.indexOf(beginning); at >= 0; at = unechoedText.indexOf(beginning, at + 1)) {
    let length = beginning.length
    while (length < text.length && unechoedText[at + length] === text[length]) length += 1
    unechoedText = `${unechoedText.slice(0, at)} ${unechoedText.slice(at + length)}`
  }
  return unechoedText
}

/** Returns whether a message itself names the requested model, rather than repeating a text of the client. */
export function namesModel(message: string, request: RequestEcho): boolean {
  const unechoedText = withoutEcho(message, request)
  return request.models.some((model) => {
    const name = normalizeEcho(model)
    if (name === '' || !hasWord(unechoedText, name)) return false
    return !request.texts.some((text) => text.length === model.length && normalizeEcho(text) === name)
  })
}

/** Returns a normalized message without the model's names, because these may contain any words. */
export function withoutModels(message: string, { models }: RequestEcho): string {
  return models.reduce((text, model) => (model === '' ? text : text.replaceAll(normalizeEcho(model), ' ')), message)
}

/** Returns whether the text contains the word. `gpt-4o` does not contain `gpt-4`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + word.length] ?? ' ')) return true
  }
  return false
}
