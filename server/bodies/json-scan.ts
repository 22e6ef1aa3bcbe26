import { GatewayError } from '../../core/errors.ts'
import { because } from '../../core/messages/reasons.ts'
import { DEPTH_MAX } from '../relay/json.ts'

/**
 * Limits on the structure of the JSON of one request. A limit on bytes is not enough, because a megabyte can contain
 * 300 000 objects.
 */
export interface JsonLimits {
  /** Maximum number of objects and lists. */
  readonly items: number
  /** Maximum number of keys and strings. */
  readonly texts: number
  /** Maximum number of members of all lists and objects. */
  readonly members: number
  /** Maximum number of keys of one object. */
  readonly keysOfOne: number
}

const TEXTS_PER_ITEM = 5
const MEMBERS_PER_ITEM = 30
const KEYS_OF_ONE_MAX = 2000

/** Derives all limits from the maximum number of objects and lists. */
export function jsonLimits(items: number): JsonLimits {
  return { items, texts: items * TEXTS_PER_ITEM, members: items * MEMBERS_PER_ITEM, keysOfOne: KEYS_OF_ONE_MAX }
}

const NO_LIMITS = jsonLimits(Number.POSITIVE_INFINITY)

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const LIST_BEGINS = 0x5b
const LIST_ENDS = 0x5d
const OBJECT_BEGINS = 0x7b
const OBJECT_ENDS = 0x7d
/** After this number of bytes of a string, `indexOf` searches for the end. For long strings, `indexOf` is faster. */
const LONG_TEXT = 128
/** Initial comma count of a list, so low that a list never reaches the limit of keys in one object. */
const IS_LIST = -(2 ** 30)

/** Scans the bytes of a JSON text while they arrive. Accepts invalid JSON, because `JSON.parse` rejects it later. */
export class JsonScan {
  /** Number of keys of all objects, including repeated keys. */
  keys = 0
  private items = 0
  private texts = 0
  private members = 0
  /** Number of commas so far in each open object or list. */
  private readonly open: number[] = []
  private inText = false
  private isEscaped = false

  constructor(private readonly limits: JsonLimits = NO_LIMITS) {}

  /** Throws REQUEST_MALFORMED if a limit is exceeded. */
  read(piece: Buffer): void {
    let at = 0
    while (at < piece.length) at = this.inText ? this.readText(piece, at) : this.readStructure(piece, at)
  }

  /** Reads inside a string. Returns the position after its end, or the end of the piece. */
  private readText(piece: Buffer, start: number): number {
    let at = start
    for (;;) {
      const isLong = at + LONG_TEXT < piece.length
      const until = isLong ? at + LONG_TEXT : piece.length
      for (; at < until; at++) {
        const byte = piece[at]
        if (this.isEscaped) this.isEscaped = false
        else if (byte === BACKSLASH) this.isEscaped = true
        else if (byte === QUOTE) {
          this.inText = false
          return at + 1
        }
      }
      if (!isLong) return at
      const end = piece.indexOf(QUOTE, at)
      const next = end < 0 ? piece.length : end
      let slashes = 0
      while (next - slashes > at && piece[next - slashes - 1] === BACKSLASH) slashes++
      // A byte is escaped if an odd number of backslashes precedes it. The first backslash may itself be escaped, if it
      // is at the start.
      const isOdd = slashes % 2 === 1
      this.isEscaped = next - slashes === at ? this.isEscaped !== isOdd : isOdd
      at = next
    }
  }

  /** Reads outside strings. Returns the position of the next string's first character, or the end of the piece. */
  private readStructure(piece: Buffer, start: number): number {
    const { open, limits } = this
    for (let at = start; at < piece.length; at++) {
      switch (piece[at]) {
        case QUOTE:
          if (++this.texts > limits.texts) throw tooMany(limits.texts, 'keys and texts')
          this.inText = true
          return at + 1
        case COLON:
          this.keys++
          break
        case COMMA:
          if (++this.members > limits.members) throw tooMany(limits.members, 'members')
          if (++(open as [number])[(open.length - 1) as 0] > limits.keysOfOne)
            throw tooMany(limits.keysOfOne, 'keys in one object')
          break
        case OBJECT_BEGINS:
          this.begin(0)
          break
        case LIST_BEGINS:
          this.begin(IS_LIST)
          break
        case OBJECT_ENDS:
        case LIST_ENDS:
          open.pop()
          break
      }
    }
    return piece.length
  }

  private begin(commas: number): void {
    const { open, limits } = this
    if (++this.items > limits.items) throw tooMany(limits.items, 'objects and lists')
    if (open.push(commas) > DEPTH_MAX) {
      throw new GatewayError('REQUEST_MALFORMED', because('tooDeep', { max: DEPTH_MAX }))
    }
  }
}

/** Counts the keys of all objects in a JSON text, including repeated keys. */
export function keysOf(raw: Buffer): number {
  const scan = new JsonScan()
  scan.read(raw)
  return scan.keys
}

function tooMany(max: number, what: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', because('tooMany', { max, what }))
}
