import { expect, test } from 'vitest'
import { mediaType } from '../../../server/guarded/media-type.ts'

const bytes = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(32, 0x80)])

test.each([
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
  ['BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0', 'image/bmp'],
  ['\0\0\0\x18ftypheic', 'image/heic'],
  ['\0\0\0\x18ftypmif1', 'image/heif'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
  ['\0\0\0\x1cftypM4A ', 'audio/mp4'],
  ['\0\0\0\x1cftypisom', 'video/mp4'],
  ['%PDF-1.7', 'application/pdf'],
  ['ID3\x04', 'audio/mpeg'],
  ['\xff\xfb\x90\x64', 'audio/mpeg'],
  ['\xff\xf1\x50\x80', 'audio/aac'],
  ['OggS\0', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
])('bytes that start with %j are %s, despite the declared type', (beginning, mime) => {
  expect(mediaType(bytes(beginning), 'image/jpg')).toBe(mime)
})

test.each([
  ['<html></html>', 'text/html; charset=utf-8', 'text/html'],
  ['{"a":1}', 'application/json', 'application/json'],
  ['<svg/>', 'image/svg+xml', 'image/svg+xml'],
  ['ein Text mit Umläuten', '', 'text/plain'],
  ['<html>not a picture</html>', 'image/png', 'text/plain'],
  ['plain', 'application/octet-stream', 'text/plain'],
  ['BM and some words', 'image/bmp', 'text/plain'],
])('%j, declared as %j, is %s', (text, declared, mime) => {
  expect(mediaType(Buffer.from(text), declared)).toBe(mime)
})

test('unknown bytes declared as a picture are not a picture', () => {
  expect(mediaType(bytes('\x01\x02\x03'), 'image/png')).toBe('application/octet-stream')
})

test('office documents keep their specific type', () => {
  const declared = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  expect(mediaType(bytes('PK\x03\x04'), declared)).toBe(declared)
  expect(mediaType(bytes('PK\x03\x04'), 'image/png')).toBe('application/zip')
})
