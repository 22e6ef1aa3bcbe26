import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IFormat } from 'music-metadata'
import type { ITokenizer } from 'strtok3'

/**
 * Maximum number of read steps. A usual file needs hundreds, and a long film a thousand. A crafted megabyte of sync
 * words or empty boxes would need 300,000.
 */
const STEPS_MAX = 4000
/** Number of steps after which other requests get a turn. */
const STEPS_PER_TURN = 500
/** Maximum number of tags. A file with more has an unknown length. */
const TAGS_MAX = 1000
/** Size in bytes of the FLAC block that states the file's length. Longer blocks contain tags. */
const FLAC_INFO_BYTES = 34
/**
 * Maximum bytes of one read, which is enough for the tables of a long MP4. Larger blocks, such as tags with images, do
 * not state the length.
 */
const READ_BYTES_MAX = 1024 * 1024

const library = () => Promise.all([import('music-metadata'), import('strtok3')])

let parsersLoading: Promise<void> | undefined

/** Loads all audio parsers at once, because a later import may fail after an upgrade. */
export function loadSoundParsers(): Promise<void> {
  parsersLoading ??= loadAll()
  return parsersLoading
}

async function loadAll(): Promise<void> {
  const [{ getSupportedMimeTypes, parseBuffer }] = await library()
  // The library imports a parser at the first file of its type, even if the file is empty and cannot be parsed.
  await Promise.allSettled(getSupportedMimeTypes().map((mimeType) => parseBuffer(new Uint8Array(0), { mimeType })))
}

/** Reads the format that an audio file states. Never rejects: an error or too many steps only end the reading. */
export async function readFormat(
  content: Readable,
  { mime, bytes }: { mime: string; bytes: number },
): Promise<Partial<IFormat>> {
  let format: Partial<IFormat> = {}
  try {
    const [{ parseFromTokenizer }, { fromStream }] = await library()
    const fileInfo = { mimeType: mime, size: bytes }
    const tokenizer = withStepLimit(
      await fromStream(content, { fileInfo, maxBufferSize: READ_BYTES_MAX }),
      () => format,
    )
    const addTag = createTagCounter()
    const observer = ({ metadata }: { metadata: { format: IFormat } }) => {
      format = metadata.format
      // This replaces the library's method that maps each tag, because mapping costs more than all other steps.
      Object.assign(metadata, { addTag })
    }
    return (await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true, observer })).format
  } catch {
    return format
  }
}

function createTagCounter(): () => Promise<void> {
  let tags = 0
  return async () => {
    if (++tags > TAGS_MAX) throw new Error(`the file has more than ${TAGS_MAX} tags`)
  }
}

const ID3 = Buffer.from('ID3')
const ID3_SIZE = { start: 6, end: 10 }

/** Empties ID3 tags and FLAC comments, because the library would read all tags in one step, before `addTag` counts. */
function emptyTags(bytes: Uint8Array, { container }: Partial<IFormat>): void {
  if (container === 'FLAC' && bytes.length > FLAC_INFO_BYTES) bytes.fill(0)
  else if (ID3.every((byte, at) => bytes[at] === byte)) bytes.fill(0, ID3_SIZE.start, ID3_SIZE.end)
}

/** Limits the steps of a tokenizer. Wraps only the three methods that all its other methods call. */
function withStepLimit<Tokenizer extends ITokenizer>(tokenizer: Tokenizer, format: () => Partial<IFormat>): Tokenizer {
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
