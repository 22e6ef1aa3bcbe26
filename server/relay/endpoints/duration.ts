import { Readable } from 'node:stream'
import type { IFormat } from 'music-metadata'
import type { UploadedFile } from '../providers/provider.ts'
import { type Frames, framesIn } from './mpeg-frames.ts'
import { readFormat } from './sound-format.ts'

/** Assumed rate of a recording whose length is unknown: 64 kbit/s, as on a telephone line. */
const UNKNOWN_BYTES_PER_SECOND = 8000
/** Factor by which a file's stated length may differ from the lengths that are possible for its size. */
const TOLERANCE = 1.05

/** Maximum plausible bits per second of compressed audio and of video. */
const LOSSY_BITS_MAX = 512_000
const VIDEO_BITS_MAX = 20_000_000
/** The maximum rate of MP3 frames, which bytes outside frames are assumed to have. */
const MP3_BYTES_PER_SECOND_MAX = 40_000
/** Maximum fraction of bytes outside frames in an MPEG file. In other formats, most bytes do not look like frames. */
const STRAY_FRACTION_MAX = 0.1

type File = Pick<UploadedFile, 'mime' | 'bytes' | 'open'>

/**
 * Returns the length of a recording in seconds: the length that the file states, within the lengths that are possible
 * for the file's size. Assumes 64 kbit/s if the format is unknown or states no length, as in a live WebM. Never fails,
 * because an upstream may support formats that the gateway does not.
 */
export async function secondsOf(file: File): Promise<number> {
  const { mime, bytes, open } = file
  const frames = await framesOf(file)
  if (!frames) return bytes / UNKNOWN_BYTES_PER_SECOND
  // For MPEG frames, the library would take several times as long.
  if (frames.seconds > 0 && frames.strayBytes < bytes * STRAY_FRACTION_MAX) return secondsOfFrames(frames, bytes)
  const content = open()
  try {
    const format = await readFormat(contentAfter(content, frames.tagBytes), { mime, bytes: bytes - frames.tagBytes })
    if (format.container === 'MPEG') return secondsOfFrames(frames, bytes)
    const { duration = 0, bitrate = 0 } = format
    const secondsMax = bitrate > 0 ? ((bytes * 8) / bitrate) * TOLERANCE : Number.POSITIVE_INFINITY
    const seconds = duration > secondsMax ? secondsMax / TOLERANCE : duration
    if (!(seconds > 0 && Number.isFinite(seconds))) return Math.max(bytes / UNKNOWN_BYTES_PER_SECOND, frames.seconds)
    // Allow the tolerance, because `bytes` includes the headers of the file.
    const secondsMin = (bytes * 8) / bitsPerSecondMax(format)
    return seconds * TOLERANCE < secondsMin ? secondsMin : seconds
  } finally {
    content.destroy()
  }
}

/** Returns the content of a file without the tags at its beginning. */
function contentAfter(content: Readable, tagBytes: number): Readable {
  async function* withoutTags(): AsyncGenerator<Buffer> {
    let skip = tagBytes
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (skip < chunk.length) yield chunk.subarray(skip)
      skip = Math.max(0, skip - chunk.length)
    }
  }
  return tagBytes === 0 ? content : Readable.from(withoutTags(), { objectMode: false })
}

/** Returns the length of the MPEG frames in a file, or undefined if the file cannot be read. */
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
  // The rate is limited, because a frame can state more bytes than its audio needs, and other frames can hide in them.
  const secondsMin = ((bytes - tagBytes) * 8) / LOSSY_BITS_MAX
  return Math.max(seconds + strayBytes / MP3_BYTES_PER_SECOND_MAX, secondsMin)
}

function bitsPerSecondMax({
  lossless,
  hasVideo,
  sampleRate = 0,
  numberOfChannels = 0,
  bitsPerSample = 0,
}: Partial<IFormat>): number {
  if (hasVideo) return VIDEO_BITS_MAX
  const uncompressed = sampleRate * numberOfChannels * bitsPerSample
  return lossless && uncompressed > 0 ? Math.min(uncompressed, VIDEO_BITS_MAX) : LOSSY_BITS_MAX
}
