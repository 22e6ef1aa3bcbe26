import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Upload, UploadedFile } from '../provider.ts'

const LINE = '\r\n'
const MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/

/**
 * Returns a form with the client's fields and files. If `model` is present, it is the value of the field `model`. The
 * form's length is known in advance, but its files are read from disk while it is sent.
 * https://www.rfc-editor.org/rfc/rfc7578
 */
export function multipartBody(
  { files, fields }: Upload,
  { model }: { model?: string } = {},
): { headers: { 'content-type': string; 'content-length': string }; body: () => Readable } {
  const boundary = `tollgate-${randomUUID()}`
  const lacksModel = model !== undefined && !fields.some(({ name }) => name === 'model')
  const withModel = lacksModel ? [{ name: 'model', value: model }, ...fields] : fields
  const opening = withModel
    .map(({ name, value }) => fieldHead(boundary, name) + (name === 'model' ? (model ?? value) : value) + LINE)
    .join('')
  const heads = files.map((file) => fileHead(boundary, file))
  const closing = `--${boundary}--${LINE}`
  const bytes = files.reduce(
    (sum, file, index) => sum + Buffer.byteLength(heads[index] ?? '') + file.bytes + LINE.length,
    Buffer.byteLength(opening) + closing.length,
  )

  async function* content(): AsyncGenerator<Buffer> {
    if (opening) yield Buffer.from(opening)
    for (const [index, file] of files.entries()) {
      yield Buffer.from(heads[index] ?? '')
      yield* file.open()
      yield Buffer.from(LINE)
    }
    yield Buffer.from(closing)
  }

  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(bytes) },
    body: () => Readable.from(content(), { objectMode: false }),
  }
}

function fieldHead(boundary: string, name: string): string {
  return `--${boundary}${LINE}content-disposition: form-data; name="${quoted(name)}"${LINE}${LINE}`
}

function fileHead(boundary: string, { field, filename, mime }: UploadedFile): string {
  const type = MIME.test(mime) ? mime : 'application/octet-stream'
  return (
    `--${boundary}${LINE}content-disposition: form-data; name="${quoted(field)}"; filename="${quoted(filename || 'file')}"` +
    `${LINE}content-type: ${type}${LINE}${LINE}`
  )
}

/** Escapes a name as browsers do. Otherwise, a quote or line break in the name could end the header. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
