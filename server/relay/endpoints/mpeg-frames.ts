/*
 * Reads frames of MPEG audio, layers I to III (ISO/IEC 11172-3 and 13818-3, 2.4.2.3), and frames of AAC in ADTS
 * (ISO/IEC 13818-7, 6.2).
 */

/** Bit rates in kbit/s of MPEG version 1, by layer and index. 0 is the free format, whose frames have no known size. */
const FULL_RATES: Readonly<Record<number, readonly number[]>> = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
}
/** Bit rates in kbit/s of versions 2 and 2.5, by layer and index. */
const LOW_RATES: Readonly<Record<number, readonly number[]>> = {
  1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const SAMPLING_RATES = [44_100, 48_000, 32_000]
/** Divisors of the sampling rates by version bits: 0 is version 2.5, 1 reserved, 2 version 2, 3 version 1. */
const DIVISORS = [4, 0, 2, 1]
const ADTS_SAMPLING_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
]
const ADTS_SAMPLES = 1024
const HEADER_BYTES = 4
const ADTS_HEADER_BYTES = 7
/** The first byte of every frame. */
const SYNC = 0xff
const ID3_HEADER_BYTES = 10

interface Frame {
  readonly bytes: number
  readonly seconds: number
}

/** The length of the frames in a file, and the sizes of its other parts. */
export interface Frames {
  readonly seconds: number
  /** Number of bytes outside frames and tags. */
  readonly strayBytes: number
  /** Number of bytes in tags at the beginning of the file. */
  readonly tagBytes: number
}

/**
 * Returns the total length of a file's frames. `size` is the size of the file in bytes. Ignores a table of contents at
 * the beginning (Xing, VBRI), because it can be false. Skips only tags at the beginning that fit into the file, because
 * players play frames inside any other tag.
 */
export async function framesIn(content: AsyncIterable<Buffer>, size: number): Promise<Frames> {
  let seconds = 0
  let strayBytes = 0
  let tagBytes = 0
  let skip = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of content) {
    const bytes = rest.length ? Buffer.concat([rest, part]) : part
    let at = skip
    while (at + ID3_HEADER_BYTES <= bytes.length) {
      const frame = bytes[at] === SYNC ? frameAt(bytes, at) : undefined
      if (frame) {
        seconds += frame.seconds
        at += frame.bytes
        continue
      }
      const isBeginning = seconds === 0 && strayBytes === 0
      const tagSize = isBeginning ? bytesOfTag(bytes, at) : 0
      if (tagSize > 0 && tagBytes + tagSize <= size) {
        tagBytes += tagSize
        at += tagSize
        continue
      }
      strayBytes += 1
      at += 1
    }
    skip = Math.max(0, at - bytes.length)
    rest = bytes.subarray(at)
  }
  // The remaining bytes are too few for a header, so they count as stray bytes.
  return { seconds, strayBytes: strayBytes + rest.length, tagBytes }
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  const header = bytes.readUInt32BE(at)
  if (header >>> 21 !== 0x7ff) return undefined
  const version = (header >>> 19) & 3
  const layer = 4 - ((header >>> 17) & 3)
  if (layer === 4) return adtsFrameAt(bytes, at)
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

/** Reads an ADTS frame, whose header is like that of MPEG audio, with 0 in the bits of the layer. */
function adtsFrameAt(bytes: Buffer, at: number): Frame | undefined {
  const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0] = bytes.subarray(
    at,
    at + ADTS_HEADER_BYTES,
  )
  const samplingRate = ADTS_SAMPLING_RATES[(third >>> 2) & 15]
  const size = ((fourth & 3) << 11) | (fifth << 3) | (sixth >>> 5)
  if (second >>> 4 !== 15 || !samplingRate || size < ADTS_HEADER_BYTES) return undefined
  return { bytes: size, seconds: (ADTS_SAMPLES * ((seventh & 3) + 1)) / samplingRate }
}

/** Returns the size in bytes of an ID3v2 tag, or 0 if there is no tag: https://id3.org/id3v2.4.0-structure */
function bytesOfTag(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0x49 || bytes[at + 1] !== 0x44 || bytes[at + 2] !== 0x33) return 0
  const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((bytes[at + place] ?? 0) & 127), 0)
  return ID3_HEADER_BYTES + size
}
