/*
 * An upstream's error may repeat what the client wrote. Whoever writes that an account is empty, or that a model does not
 * exist, must not take a channel out with it.
 */

/** A client's request, as far as an upstream's error may repeat it or be about it. */
export interface Said {
  /** All that the client wrote and the upstream may have read: decoded texts, in the body, forms, query and headers. */
  readonly texts: readonly string[]
  /** Names of its fields: most are words that every message has, so that only a whole phrase in one of them tells anything. */
  readonly names: readonly string[]
  /** Names of the model that was asked for: the client's and the upstream's. Where they stand as such, they are no text. */
  readonly models: readonly string[]
  /** It has headers by which a vendor decides what an account may do. */
  readonly judged: boolean
  /** It names something that is kept at the upstream: a file, a cache, an earlier response. */
  readonly namesKept: boolean
}

export const NOTHING_SAID: Said = { texts: [], names: [], models: [], judged: false, namesKept: false }

/** Shorter ones are words that every message may have by chance. */
const OWN_LENGTH_MIN = 8
/** Vendors cut what they repeat: so much of the beginning tells where it is. */
const BEGINNING_LENGTH = 16
/** Where that beginning is looked for: texts are many, and long. */
const SEARCHED_LENGTH = 256

/** A message as it is compared: whoever repeats a text may break its lines elsewhere, and write it in another case. */
export function folded(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase()
}

/** Whether one of these phrases, one per line, is in the upstream's message by its own doing, and not out of the request. */
export function tells(message: string, phrases: string, said: () => Said): boolean {
  const text = folded(message)
  const wanted = phrases.split('\n').map((line) => folded(line).trim())
  const found = wanted.filter((phrase) => phrase !== '' && text.includes(phrase))
  if (found.length === 0) return false
  const request = said()
  const rest = withoutOwn(message, request)
  const own = folded([...request.texts, ...request.names].join('\n'))
  return found.some((phrase) => rest.includes(phrase) && !own.includes(phrase))
}

/** A folded message without what it repeats of the client's texts. */
export function withoutOwn(message: string, { texts }: Said): string {
  let rest = folded(message)
  const own = new Set<string>()
  for (const text of texts) {
    const trimmed = text.trimStart()
    const start = folded(trimmed.slice(0, SEARCHED_LENGTH)).trimEnd().slice(0, BEGINNING_LENGTH)
    // Of one longer than the message, only its beginning can be there.
    if (start.length >= OWN_LENGTH_MIN && rest.includes(start))
      own.add(folded(trimmed.slice(0, message.length)).trimEnd())
  }
  for (const text of [...own].sort((a, b) => b.length - a.length)) rest = cut(rest, text)
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

/** Whether a message names the model that was asked for, by the upstream's own doing. */
export function namesModel(message: string, request: Said): boolean {
  const rest = withoutOwn(message, request)
  return request.models.some((model) => {
    const name = folded(model)
    if (name === '' || !wordIn(rest, name)) return false
    return !request.texts.some((text) => text.length === model.length && folded(text) === name)
  })
}

/** A folded message without the model's names: they may be made of any words. */
export function withoutModels(message: string, { models }: Said): string {
  return models.reduce((rest, model) => (model === '' ? rest : rest.replaceAll(folded(model), ' ')), message)
}

/** `gpt-4` is not named where `gpt-4o` stands. */
function wordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + word.length] ?? ' ')) return true
  }
  return false
}
