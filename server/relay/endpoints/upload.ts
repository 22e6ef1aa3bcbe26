import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { errorMessage, errorProperty } from '../../../core/error-parts.ts'
import { GatewayError } from '../../../core/errors.ts'
import { because } from '../../../core/messages/reasons.ts'
import type { BodyBytes } from '../../bodies/budget.ts'
import type { Body } from '../dialects/dialect.ts'
import type { Upload, UploadedFile } from '../providers/provider.ts'
import { uploadFolderName } from './leftover-uploads.ts'

const FIELD_BYTES_MAX = 1024 * 1024
const NAME_LENGTH_MAX = 255
/** Maximum number of files. OpenAI accepts 16 images and a mask. */
const FILES_MAX = 20
const FIELDS_MAX = 200
const HEADERS_MAX = 32
/** Fields that must be a single text, because a file or a list in them would reach the upstream without a check. */
const TEXT_FIELDS = new Set([
  'background',
  'input_fidelity',
  'language',
  'model',
  'moderation',
  'n',
  'output_compression',
  'output_format',
  'partial_images',
  'prompt',
  'quality',
  'response_format',
  'size',
  'stream',
  'style',
  'temperature',
  'user',
])

/** An upload whose files are on disk until they are discarded. */
export interface SpooledUpload extends Upload {
  /** Removes the files. May be called repeatedly, and while the files are being read. */
  discard(): Promise<void>
}

/**
 * Reads a multipart body of at most `bytesMax` bytes, and stores its files on disk while they arrive. After a failure,
 * removes the files and reads the rest of the body, so that the client reads the error. Throws REQUEST_TOO_LARGE,
 * REQUEST_MALFORMED, BODIES_* and BODY_TOO_SLOW. https://www.rfc-editor.org/rfc/rfc7578
 */
export async function receiveUpload(
  payload: Readable,
  {
    headers,
    bytesMax,
    folder = tmpdir(),
    share,
    watch,
  }: {
    headers: IncomingHttpHeaders
    bytesMax: number
    folder?: string
    /** The share of the memory budget for the form's texts. It is released when the form has arrived or failed. */
    share: BodyBytes
    /** Calls `abort` if the upload arrives too slowly. Returns a function that ends the watch. */
    watch: (abort: (reason: Error) => void) => () => void
  },
): Promise<SpooledUpload> {
  if (Number(headers['content-length']) > bytesMax) {
    payload.resume()
    throw new GatewayError('REQUEST_TOO_LARGE', { max: bytesMax })
  }
  // After a disconnect, the body emits no more events, and a read would wait forever.
  if (payload.destroyed) throw new GatewayError('REQUEST_MALFORMED', because('bodyEnded'))
  const limitedBody = limitBody(payload, bytesMax)
  const endWatch = watch((reason) => limitedBody.destroy(reason))
  const uploadFolder = await mkdtemp(join(folder, uploadFolderName()))
  const discard = () => rm(uploadFolder, { recursive: true, force: true })
  const writing: Promise<UploadedFile>[] = []
  try {
    const fields: { name: string; value: string }[] = []
    const parser = createParser(headers)
    // In spite of its types, busboy passes undefined for a missing name.
    parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
      const refusal = nameError(name) ?? (valueTruncated ? tooLong(name) : takeFrom(share, Buffer.byteLength(value)))
      if (refusal) parser.destroy(refusal)
      else fields.push({ name: name as string, value })
    })
    parser.on('file', (name: string | undefined, content, { filename = '', mimeType: mime }) => {
      const field = name ?? ''
      const refusal = nameError(name, { filename })
      if (refusal) parser.destroy(refusal)
      // After a failure, the parser still emits the remaining files of its input, but never ends them.
      if (parser.destroyed) return content.on('error', () => {}).destroy()
      // Files on disk have numbers as names. The client's file names are only forwarded.
      const path = join(uploadFolder, String(writing.length))
      const file = spool(content, path).then((bytes) => toFile({ field, filename, mime, bytes }, path))
      file.catch((error: Error) => parser.destroy(error))
      writing.push(file)
    })
    await pipeline(limitedBody, parser)
    return { files: await Promise.all(writing), fields, discard }
  } catch (error) {
    payload.unpipe(limitedBody).resume()
    await Promise.allSettled(writing)
    await discard()
    throw toClientError(error)
  } finally {
    endWatch()
    share.release()
  }
}

/** Takes memory for a text from the share. Returns the error if the share has too little memory. */
function takeFrom(share: BodyBytes, bytes: number): GatewayError | undefined {
  try {
    share.add(bytes)
    return undefined
  } catch (error) {
    return error as GatewayError
  }
}

/** Returns the text fields of a form as a body. The values of a repeated name become a list. */
export function bodyOfUpload({ fields }: Upload): Body {
  const values = new Map<string, string | string[]>()
  for (const { name, value } of fields) {
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return Object.fromEntries(values)
}

/** Throws REQUEST_MALFORMED if the headers do not announce a form. */
function createParser(headers: IncomingHttpHeaders): busboy.Busboy {
  const limits = { fieldSize: FIELD_BYTES_MAX, fields: FIELDS_MAX, files: FILES_MAX, headerPairs: HEADERS_MAX }
  const parser = busboy({ headers, limits, defParamCharset: 'utf8' })
  const refuseMore = (what: string) => () =>
    parser.destroy(new GatewayError('REQUEST_MALFORMED', { reason: `the form has more than ${what}` }))
  parser.on('filesLimit', refuseMore(`${FILES_MAX} files`))
  parser.on('fieldsLimit', refuseMore(`${FIELDS_MAX} fields`))
  return parser
}

/** Returns the error if a field or file has an invalid name. `filename` is present for a file. */
function nameError(name: string | undefined, { filename }: { filename?: string } = {}): GatewayError | undefined {
  if (!name) return malformed('each part of the form needs a name: Content-Disposition: form-data; name="..."')
  if (Math.max(name.length, filename?.length ?? 0) > NAME_LENGTH_MAX) return tooLong(name)
  const plain = name.replace(/\[.*/s, '').trim().toLowerCase()
  if (!TEXT_FIELDS.has(plain) || (name === plain && filename === undefined)) return undefined
  return malformed(`${plain} must be one text field of the form with exactly this name, neither a file nor a list`)
}

function tooLong(name = ''): GatewayError {
  return malformed(
    `field ${name.slice(0, 40)} is longer than ${FIELD_BYTES_MAX} bytes, or its name or file name is longer than ` +
      `${NAME_LENGTH_MAX} characters`,
  )
}

function malformed(reason: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason })
}

/**
 * Returns a stream with the body's bytes, which fails after `bytesMax` bytes. The body itself must not be part of a
 * `pipeline`, which would close the connection if the parser failed. The error reply needs the connection.
 */
function limitBody(payload: Readable, bytesMax: number): Transform {
  let bytes = 0
  const limitedBody = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) done(new GatewayError('REQUEST_TOO_LARGE', { max: bytesMax }))
      else done(null, chunk)
    },
  })
  const cut = (error?: Error) => {
    if (!payload.readableEnded) limitedBody.destroy(error ?? new Error('the body ended early'))
  }
  payload.once('error', cut).once('close', cut)
  // `pipeline` handles errors, but only from its start. Until then, this listener prevents a crash.
  limitedBody.on('error', () => {})
  return payload.pipe(limitedBody)
}

async function spool(content: Readable, path: string): Promise<number> {
  let bytes = 0
  content.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return bytes
}

function toFile(about: Omit<UploadedFile, 'open'>, path: string): UploadedFile {
  return { ...about, open: () => createReadStream(path) }
}

/** Converts a parser's error to REQUEST_MALFORMED. Returns other errors unchanged, such as that of a full disk. */
function toClientError(error: unknown): unknown {
  if (error instanceof GatewayError || errorProperty(error, 'syscall') !== undefined) return error
  return new GatewayError(
    'REQUEST_MALFORMED',
    { reason: `the body is not valid multipart/form-data (${errorMessage(error)})` },
    { cause: error },
  )
}
