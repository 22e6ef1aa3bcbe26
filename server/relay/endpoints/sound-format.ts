import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IFormat } from 'music-metadata'
import type { ITokenizer } from 'strtok3'

/**
 * Maximum number of read steps. A usual file needs hundreds of steps, and a long film a thousand steps. A crafted
 * megabyte of sync words or empty boxes would need 300,000 steps.
 */
const STEPS_MAX = 4000
/** After this number of steps, other requests get a turn. */
const STEPS_PER_TURN = 500
/** Maximum number of tags. If there are more, reading stops, and the length of the file stays unknown. */
const TAGS_MAX = 1000
/** Bytes of the FLAC block that states the file's length. Longer blocks contain tags. */
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
  // The library imports a parser for the first file of its type. An empty file is enough to trigger the import,
  // although parsing it fails.
  await Promise.allSettled(getSupportedMimeTypes().map((mimeType) => parseBuffer(new Uint8Array(0), { mimeType })))
}

/**
 * Reads the format that an audio file states. After an error or `STEPS_MAX` steps, returns the data read so far. Never
 * rejects.
 */
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
      // Replace the library's method that maps each tag, because mapping costs more than all other steps.
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

/**
 * Empties ID3 tags and FLAC comments. The library would read all tags in one step, before `addTag` can count them.
 */
function emptyTags(bytes: Uint8Array, { container }: Partial<IFormat>): void {
  if (container === 'FLAC' && bytes.length > FLAC_INFO_BYTES) bytes.fill(0)
  else if (ID3.every((byte, at) => bytes[at] === byte)) bytes.fill(0, ID3_SIZE.start, ID3_SIZE.end)
}

/** Limits the steps of a tokenizer. Wraps only three methods, because all other methods call these methods. */
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
