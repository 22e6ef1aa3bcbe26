import type { IFormat } from 'music-metadata'
import type { UploadedFile } from '../providers/provider.ts'
import { framesIn } from './mpeg-frames.ts'

/** A telephone line's bytes a second: what a recording of unknown length is taken for. */
const UNKNOWN_BYTES_PER_SECOND = 8000
/** A length that a file claims is not believed beyond what its bytes could hold at the rate that it claims too. */
const TOLERANCE = 1.05

/** What no speech is coded with more of, and no film that somebody wants written down: a claim of more bits a second is a lie. */
const LOSSY_BITS_MAX = 512_000
const FILM_BITS_MAX = 20_000_000
/** The most that a frame of MP3 may have: bytes between frames are taken for such. */
const MP3_BYTES_PER_SECOND_MAX = 40_000

const metadata = () => import('music-metadata')

/** Loads the parser of each sound format, for a process that must not do it on demand. */
export async function loadSoundParsers(): Promise<void> {
  const { getSupportedMimeTypes, parseBuffer } = await metadata()
  // The library imports a parser when it meets the first file of its type; an empty file is enough, and is an error for each.
  await Promise.allSettled(getSupportedMimeTypes().map((mimeType) => parseBuffer(new Uint8Array(0), { mimeType })))
}

type File = Pick<UploadedFile, 'mime' | 'bytes' | 'open'>

/**
 * How long a recording is, in seconds. Read from the file; one whose format is unknown, or does not tell (a live WebM has
 * no length), is taken for 64 kbit/s. What a file says of itself is believed within what its bytes allow, in both directions.
 * Never fails: an upstream may know formats that we do not.
 */
export async function secondsOf(file: File): Promise<number> {
  const { mime, bytes, open } = file
  const content = open()
  try {
    const { parseStream } = await metadata()
    const { format } = await parseStream(content, { mimeType: mime, size: bytes }, { duration: true, skipCovers: true })
    if (format.container === 'MPEG') return await secondsOfFrames(file)
    const { duration = 0, bitrate = 0 } = format
    const longest = bitrate > 0 ? ((bytes * 8) / bitrate) * TOLERANCE : Number.POSITIVE_INFINITY
    const seconds = duration > longest ? longest / TOLERANCE : duration
    if (!(seconds > 0 && Number.isFinite(seconds))) return bytes / UNKNOWN_BYTES_PER_SECOND
    // Headers are bytes too.
    const shortest = (bytes * 8) / bitsPerSecondMax(format)
    return seconds * TOLERANCE < shortest ? shortest : seconds
  } catch {
    return bytes / UNKNOWN_BYTES_PER_SECOND
  } finally {
    content.destroy()
  }
}

async function secondsOfFrames({ open }: File): Promise<number> {
  const content = open()
  try {
    const { seconds, strayBytes } = await framesIn(content)
    return seconds + strayBytes / MP3_BYTES_PER_SECOND_MAX
  } finally {
    content.destroy()
  }
}

function bitsPerSecondMax({
  lossless,
  hasVideo,
  sampleRate = 0,
  numberOfChannels = 0,
  bitsPerSample = 0,
}: IFormat): number {
  if (hasVideo) return FILM_BITS_MAX
  const uncompressed = sampleRate * numberOfChannels * bitsPerSample
  return lossless && uncompressed > 0 ? Math.min(uncompressed, FILM_BITS_MAX) : LOSSY_BITS_MAX
}
