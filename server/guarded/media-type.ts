/** First bytes of each file type, as Latin-1 text. */
const SIGNATURES: readonly [string, string][] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['%PDF-', 'application/pdf'],
  ['ID3', 'audio/mpeg'],
  ['fLaC', 'audio/flac'],
  ['OggS', 'audio/ogg'],
  ['\x1a\x45\xdf\xa3', 'video/webm'],
  ['\x1f\x8b', 'application/gzip'],
]
const RIFF_FORMS: Record<string, string> = { WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/x-msvideo' }
/** Brands of the ISO media format (ISO/IEC 14496-12, section 4.3). */
const BRANDS: readonly [RegExp, string][] = [
  [/^(heic|heix|heim|heis|hevc)/, 'image/heic'],
  [/^(mif1|msf1)/, 'image/heif'],
  [/^avi[fs]/, 'image/avif'],
  [/^M4A/, 'audio/mp4'],
  [/^qt {2}/, 'video/quicktime'],
]
const BMP_HEADER_SIZES = new Set([12, 40, 52, 56, 64, 108, 124])
const HEAD_BYTES = 512

/**
 * Detects a file's media type from its bytes, because declared types are often wrong. A file without a signature, such
 * as a text, gets its declared type, but never a type of audio, video or images (except SVG).
 */
export function mediaType(data: Buffer, declared = ''): string {
  const head = data.toString('latin1', 0, HEAD_BYTES)
  const signatureType = SIGNATURES.find(([beginning]) => head.startsWith(beginning))?.[1]
  if (signatureType) return signatureType
  const riff = head.startsWith('RIFF') ? RIFF_FORMS[head.slice(8, 12)] : undefined
  if (riff) return riff
  if (head.startsWith('ftyp', 4)) return BRANDS.find(([brand]) => brand.test(head.slice(8)))?.[1] ?? 'video/mp4'
  if (head.startsWith('BM') && data.length > 18 && BMP_HEADER_SIZES.has(data.readUInt32LE(14))) return 'image/bmp'
  if (isAudioFrame(data)) return (data.readUInt8(1) & 0x06) === 0 ? 'audio/aac' : 'audio/mpeg'
  return typeWithoutSignature(data, declared.split(';')[0]?.trim().toLowerCase() ?? '')
}

/**
 * Returns whether the data begins with a frame of MPEG audio. A frame begins with eleven set bits. Some values of the
 * next bits are invalid.
 */
function isAudioFrame(data: Buffer): boolean {
  if (data.length < 3 || data.readUInt16BE(0) < 0xffe0) return false
  const rates = data.readUInt8(2)
  return (data.readUInt8(1) & 0x18) !== 0x08 && rates >> 4 !== 0x0f
}

function typeWithoutSignature(data: Buffer, declared: string): string {
  if (data.toString('latin1', 0, 4) === 'PK\x03\x04') {
    return /^application\/(vnd\.|epub|zip)/.test(declared) ? declared : 'application/zip'
  }
  if (!isText(data)) return /^application\/(?!pdf)/.test(declared) ? declared : 'application/octet-stream'
  return /^(text\/|application\/|image\/svg\+xml$)/.test(declared) && declared !== 'application/octet-stream'
    ? declared
    : 'text/plain'
}

function isText(data: Buffer): boolean {
  if (data.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data)
    return true
  } catch {
    return false
  }
}
