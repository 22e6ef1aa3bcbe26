import { Readable } from 'node:stream'
import type { IFormat } from 'music-metadata'
import type { UploadedFile } from '../providers/provider.ts'
import { type Frames, framesIn } from './mpeg-frames.ts'
import { readFormat } from './sound-format.ts'

/** Assumed rate of a recording of unknown length: a telephone line's. */
const UNKNOWN_BYTES_PER_SECOND = 8000
/** A stated length is accepted only if the file's bytes could contain it at its stated rate. */
const TOLERANCE = 1.05

/** Upper limits of bits per second, for speech and for video; a higher rate is false. */
const LOSSY_BITS_MAX = 512_000
const FILM_BITS_MAX = 20_000_000
/** The maximum rate of MP3 frames, assumed for bytes outside frames. */
const MP3_BYTES_PER_SECOND_MAX = 40_000
/** Maximum share of bytes between frames. In files of other formats, about a third of the bytes look like frames. */
const STRAY_SHARE_MAX = 0.1

type File = Pick<UploadedFile, 'mime' | 'bytes' | 'open'>

/**
 * Returns the length of a recording in seconds, read from the file. Assumes 64 kbit/s if the format is unknown or has no
 * length, like a live WebM. Limits the stated length to what the file's bytes allow, in both directions. Never fails: an
 * upstream may support formats that the gateway does not.
 */
export async function secondsOf(file: File): Promise<number> {
  const { mime, bytes, open } = file
  const frames = await framesOf(file)
  if (!frames) return bytes / UNKNOWN_BYTES_PER_SECOND
  // The library would need a multiple of the time per frame.
  if (frames.seconds > 0 && frames.strayBytes < bytes * STRAY_SHARE_MAX) return secondsOfFrames(frames, bytes)
  const content = open()
  try {
    const format = await readFormat(contentAfter(content, frames.tagBytes), { mime, bytes: bytes - frames.tagBytes })
    if (format.container === 'MPEG') return secondsOfFrames(frames, bytes)
    const { duration = 0, bitrate = 0 } = format
    const longest = bitrate > 0 ? ((bytes * 8) / bitrate) * TOLERANCE : Number.POSITIVE_INFINITY
    const seconds = duration > longest ? longest / TOLERANCE : duration
    if (!(seconds > 0 && Number.isFinite(seconds))) return Math.max(bytes / UNKNOWN_BYTES_PER_SECOND, frames.seconds)
    // Headers are bytes, too.
    const shortest = (bytes * 8) / bitsPerSecondMax(format)
    return seconds * TOLERANCE < shortest ? shortest : seconds
  } finally {
    content.destroy()
  }
}

/** Returns a file without the tags at its beginning, which have no length. */
function contentAfter(content: Readable, tagBytes: number): Readable {
  async function* rest(): AsyncGenerator<Buffer> {
    let skip = tagBytes
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (skip < chunk.length) yield chunk.subarray(skip)
      skip = Math.max(0, skip - chunk.length)
    }
  }
  return tagBytes === 0 ? content : Readable.from(rest(), { objectMode: false })
}

/** Returns the frames in a file; undefined if it cannot be read. */
async function framesOf({ bytes, open }: File): Promise<Frames | undefined> {
  const content = open()
  try {
    return await framesIn(content, bytes)
  } catch {
    return undefined
  } finally {
    content.destroy()
  }
}

function secondsOfFrames({ seconds, strayBytes, tagBytes }: Frames, bytes: number): number {
  // A frame can state more bytes than its audio needs, and hide other frames in them.
  const shortest = ((bytes - tagBytes) * 8) / LOSSY_BITS_MAX
  return Math.max(seconds + strayBytes / MP3_BYTES_PER_SECOND_MAX, shortest)
}

function bitsPerSecondMax({
  lossless,
  hasVideo,
  sampleRate = 0,
  numberOfChannels = 0,
  bitsPerSample = 0,
}: Partial<IFormat>): number {
  if (hasVideo) return FILM_BITS_MAX
  const uncompressed = sampleRate * numberOfChannels * bitsPerSample
  return lossless && uncompressed > 0 ? Math.min(uncompressed, FILM_BITS_MAX) : LOSSY_BITS_MAX
}
