import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { secondsOf } from '../../../../server/relay/endpoints/duration.ts'
import { ENDPOINTS } from '../../../../server/relay/endpoints/endpoints.ts'
import { uploadOf } from '../../../support/upload.ts'

const RATE = 8000

/** A WAV of silence: 8 kHz, mono, 16 bits. `claims`: the seconds that its header says, if not the true ones. */
function wav(seconds: number, { claims = seconds } = {}): Buffer {
  const bytes = Math.round(seconds * RATE) * 2
  const head = Buffer.alloc(44)
  const claimed = Math.round(claims * RATE) * 2
  head.write('RIFF', 0)
  head.writeUInt32LE(Math.min(36 + claimed, 0xffffffff), 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(claimed, 40)
  return Buffer.concat([head, Buffer.alloc(bytes)])
}

/** The same, with a header that says how many bytes a sample has in all channels. */
function blocksOf(content: Buffer, bytes: number): Buffer {
  content.writeUInt16LE(bytes, 32)
  return content
}

/** Frames of MPEG-1 layer III: 128 kbit/s, 44.1 kHz, mono, 1152 samples each. */
function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417)
  Buffer.from([0xff, 0xfb, 0x90, 0xc0]).copy(frame)
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

const file = (content: Buffer, mime = 'audio/wav') => ({
  mime,
  bytes: content.length,
  open: () => Readable.from([content], { objectMode: false }),
})

describe('the length of a recording', () => {
  test('is read from a WAV', async () => expect(await secondsOf(file(wav(2.5)))).toBeCloseTo(2.5, 3))

  test('is read from an MP3 frame by frame', async () => {
    expect(await secondsOf(file(mp3(200), 'audio/mpeg'))).toBeCloseTo((200 * 1152) / 44_100, 1)
  })

  test('is read from the bytes, for any declared type', async () => {
    expect(await secondsOf(file(wav(1), 'application/octet-stream'))).toBeCloseTo(1, 3)
    expect(await secondsOf(file(wav(1), 'nonsense'))).toBeCloseTo(1, 3)
  })

  test('is never longer than the bytes allow: a live WAV claims hours', async () => {
    expect(await secondsOf(file(wav(3, { claims: 134_000 })))).toBeLessThan(3.2)
  })

  test.each([
    ['less data than there is', wav(60, { claims: 0.5 }), 60],
    ['more, and a block of many samples', blocksOf(wav(60, { claims: 1 }), 400), 60],
  ])('is never shorter than the bytes of a WAV that claims %s', async (_, content, seconds) => {
    expect(await secondsOf(file(content))).toBeCloseTo(seconds, 1)
  })

  test('is never shorter than the frames of an MP3 whose table of contents claims few', async () => {
    const content = mp3(2000)
    // Xing, with a number of frames and of bytes, where a mono frame has it.
    content.write('Xing', 4 + 17)
    content.writeUInt32BE(3, 4 + 17 + 4)
    content.writeUInt32BE(20, 4 + 17 + 8)
    content.writeUInt32BE(20 * 417, 4 + 17 + 12)
    expect(await secondsOf(file(content, 'audio/mpeg'))).toBeCloseTo((2000 * 1152) / 44_100, 1)
  })

  test('excludes the picture of an MP3', async () => {
    const tag = Buffer.alloc(10 + 128 * 1000)
    Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0x07, 0x68, 0]).copy(tag)
    const content = Buffer.concat([tag, mp3(200)])
    expect(await secondsOf(file(content, 'audio/mpeg'))).toBeCloseTo((200 * 1152) / 44_100, 1)
  })

  test('includes all frames of an MP3, also those after a tag in its middle', async () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f])
    const seconds = (1000 * 1152) / 44_100
    for (const content of [Buffer.concat([mp3(1), tag, mp3(999)]), Buffer.concat([tag, mp3(1000)])]) {
      expect(await secondsOf(file(content, 'audio/mpeg'))).toBeCloseTo(seconds, 1)
    }
  })

  test('is never shorter than the bytes of frames with overstated sizes', async () => {
    const frame = Buffer.alloc(8191)
    Buffer.from([0xff, 0xf1, 0x50, 0x83, 0xff, 0xff, 0xfc]).copy(frame)
    const content = Buffer.concat(Array.from({ length: 100 }, () => frame))
    expect(await secondsOf(file(content, 'audio/aac'))).toBeCloseTo((content.length * 8) / 512_000, 1)
  })

  test('is read from AAC frame by frame', async () => {
    const frame = Buffer.alloc(200)
    Buffer.from([0xff, 0xf1, 0x50, 0x80, 200 >> 3, ((200 & 7) << 5) | 0x1f, 0xfc]).copy(frame)
    const content = Buffer.concat(Array.from({ length: 2000 }, () => frame))
    expect(await secondsOf(file(content, 'audio/aac'))).toBeCloseTo((2000 * 1024) / 44_100, 1)
  })

  test('is estimated at 64 kbit/s for bytes that are not audio', async () => {
    expect(await secondsOf(file(Buffer.alloc(16_000, 'x'), 'audio/webm'))).toBe(2)
  })

  test('is estimated if the file cannot be read to its end', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('disk'))
      },
    })
    expect(await secondsOf({ mime: 'audio/wav', bytes: 8000, open: () => broken })).toBe(1)
  })

  test('leaves no file open', async () => {
    const content = Readable.from([wav(60)], { objectMode: false })
    await secondsOf({ mime: 'audio/wav', bytes: 1, open: () => content })
    expect(content.destroyed).toBe(true)
  })
})

test('a transcription is charged per started second of its file', async () => {
  const upload = uploadOf({ file: wav(1.2) }, { model: 'whisper-1' })
  const prompt = await ENDPOINTS.transcriptions.prompt({ model: 'whisper-1', body: {}, upload })
  expect(prompt).toEqual({ texts: [], otherTokens: 33 })
})
