/*
 * Frames of MPEG audio, layers I to III: ISO/IEC 11172-3 and 13818-3, 2.4.2.3.
 */

/** kbit/s by layer and index, of version 1 and of the lower sampling rates. 0: free format, whose frames have no known size. */
const FULL_RATES: Readonly<Record<number, readonly number[]>> = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
}
const LOW_RATES: Readonly<Record<number, readonly number[]>> = {
  1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const SAMPLING_RATES = [44_100, 48_000, 32_000]
/** What the sampling rates of a version are divided by; version 2.5 has index 0, and 1 is reserved. */
const DIVISORS = [4, 0, 2, 1]
const HEADER_BYTES = 4
const ID3_HEADER_BYTES = 10

interface Frame {
  readonly bytes: number
  readonly seconds: number
}

/**
 * How long the frames in a file last, in seconds, and how many bytes stood outside of them. Told by the frames alone: a table
 * of contents at the beginning (Xing, VBRI) may claim anything.
 */
export async function framesIn(content: AsyncIterable<Buffer>): Promise<{ seconds: number; strayBytes: number }> {
  let seconds = 0
  let strayBytes = 0
  let skip = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of content) {
    const bytes = rest.length ? Buffer.concat([rest, part]) : part
    let at = skip
    while (at + ID3_HEADER_BYTES <= bytes.length) {
      const frame = frameAt(bytes, at)
      seconds += frame?.seconds ?? 0
      const tag = frame ? 0 : tagBytes(bytes, at)
      if (!frame && !tag) strayBytes += 1
      at += frame?.bytes ?? (tag || 1)
    }
    skip = Math.max(0, at - bytes.length)
    rest = bytes.subarray(at)
  }
  // A last frame may be shorter than what is looked at here.
  return { seconds, strayBytes: strayBytes + rest.length }
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  const header = bytes.readUInt32BE(at)
  if (header >>> 21 !== 0x7ff) return undefined
  const version = (header >>> 19) & 3
  const layer = 4 - ((header >>> 17) & 3)
  const divisor = DIVISORS[version] ?? 0
  const rates = (divisor === 1 ? FULL_RATES : LOW_RATES)[layer]
  const bitrate = (rates?.[(header >>> 12) & 15] ?? 0) * 1000
  const samplingRate = (SAMPLING_RATES[(header >>> 10) & 3] ?? 0) / divisor
  if (!bitrate || !samplingRate || !Number.isFinite(samplingRate)) return undefined
  const padding = (header >>> 9) & 1
  const samples = layer === 1 ? 384 : layer === 3 && divisor > 1 ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const size = (Math.floor((samples * bitrate) / (8 * slot * samplingRate)) + padding) * slot
  return { bytes: Math.max(HEADER_BYTES, size), seconds: samples / samplingRate }
}

/** The size of an ID3v2 tag, which may hold a picture: https://id3.org/id3v2.4.0-structure */
function tagBytes(bytes: Buffer, at: number): number {
  if (bytes.toString('latin1', at, at + 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((bytes[at + place] ?? 0) & 127), 0)
  return ID3_HEADER_BYTES + size
}
