import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IFormat } from 'music-metadata'
import type { ITokenizer } from 'strtok3'

/**
 * A file with a length needs some hundred steps, a long film a thousand. A megabyte of sync words or empty boxes would need 300
 * 000.
 */
const STEPS_MAX = 4000
/** Other requests run after this many steps. */
const STEPS_PER_TURN = 500
/** Files with more tags than this have no known length. */
const TAGS_MAX = 1000
/** The block of a FLAC file that states its length. The others contain tags. */
const FLAC_INFO_BYTES = 34
/** Maximum size of one read: enough for the tables of a long MP4. Larger parts, such as tags with images, contain no length. */
const PIECE_BYTES_MAX = 1024 * 1024

const library = () => Promise.all([import('music-metadata'), import('strtok3')])

let loading: Promise<void> | undefined

/** Loads all audio parsers, for a process that must not load them on demand. */
export function loadSoundParsers(): Promise<void> {
  loading ??= loadAll()
  return loading
}

async function loadAll(): Promise<void> {
  const [{ getSupportedMimeTypes, parseBuffer }] = await library()
  // The library imports a parser with the first file of its type; an empty file suffices, although each fails.
  await Promise.allSettled(getSupportedMimeTypes().map((mimeType) => parseBuffer(new Uint8Array(0), { mimeType })))
}

/**
 * Reads the format that an audio file states, in a bounded number of steps. Returns the data read until an error or the bound.
 * Never rejects.
 */
export async function readFormat(
  content: Readable,
  { mime, bytes }: { mime: string; bytes: number },
): Promise<Partial<IFormat>> {
  let format: Partial<IFormat> = {}
  try {
    const [{ parseFromTokenizer }, { fromStream }] = await library()
    const fileInfo = { mimeType: mime, size: bytes }
    const tokenizer = bounded(await fromStream(content, { fileInfo, maxBufferSize: PIECE_BYTES_MAX }), () => format)
    const addTag = ignoreTags()
    const observer = ({ metadata }: { metadata: { format: IFormat } }) => {
      format = metadata.format
      // The library's own method maps each tag, which costs more than all else.
      Object.assign(metadata, { addTag })
    }
    return (await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true, observer })).format
  } catch {
    return format
  }
}

function ignoreTags(): () => Promise<void> {
  let tags = 0
  return async () => {
    if (++tags > TAGS_MAX) throw new Error(`the file has more than ${TAGS_MAX} tags`)
  }
}

const ID3 = Buffer.from('ID3')
const ID3_SIZE = { start: 6, end: 10 }

/** Empties tags that the library would walk at once, before it counts them: ID3, and the comments of FLAC. */
function emptyTags(bytes: Uint8Array, { container }: Partial<IFormat>): void {
  if (container === 'FLAC' && bytes.length > FLAC_INFO_BYTES) bytes.fill(0)
  else if (ID3.every((byte, at) => bytes[at] === byte)) bytes.fill(0, ID3_SIZE.start, ID3_SIZE.end)
}

/** All other methods of a tokenizer call these three. */
function bounded<Tokenizer extends ITokenizer>(tokenizer: Tokenizer, format: () => Partial<IFormat>): Tokenizer {
  let steps = 0
  const step =
    <Args extends [target: Uint8Array | number, ...unknown[]]>(work: (...args: Args) => Promise<number>) =>
    async (...args: Args): Promise<number> => {
      if (++steps > STEPS_MAX) throw new Error(`the format was not found in ${STEPS_MAX} steps`)
      if (steps % STEPS_PER_TURN === 0) await nextTurn()
      const count = await work.apply(tokenizer, args)
      const [target] = args
      if (typeof target !== 'number') emptyTags(target, format())
      return count
    }
  tokenizer.peekBuffer = step(tokenizer.peekBuffer)
  tokenizer.readBuffer = step(tokenizer.readBuffer)
  tokenizer.ignore = step(tokenizer.ignore)
  return tokenizer
}
