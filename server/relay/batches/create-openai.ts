import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoredFile } from '../../../core/batches/files.ts'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { withStoredKey } from '../../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import type { Language } from '../../../core/messages/language.ts'
import { errorText } from '../../../core/messages/messages.ts'
import { because } from '../../../core/messages/reasons.ts'
import { defined, isRecord, recordOf } from '../../../core/records.ts'
import { JsonScan, jsonLimits } from '../../bodies/json-scan.ts'
import { Slices } from '../../slices.ts'
import { parseBody } from '../admission/admission.ts'
import { type Caller, objectOwnerOf } from '../admission/authenticate.ts'
import { relayLanguageOf } from '../admission/body-refusal.ts'
import type { RelayEntry } from '../admission/entry.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf, wordOf } from '../json.ts'
import type { UploadedFile } from '../providers/provider.ts'
import type { SubmissionAbort } from '../tasks/running.ts'
import { admitBatchRequest, type BatchRequester, bodyForUpstream, serves } from './admit-request.ts'
import { createdBatch } from './created.ts'
import { splitLines } from './lines.ts'
import type { BatchParts } from './parts.ts'
import { filePath } from './settle.ts'
import { openSpool, type Spool } from './spool.ts'
import { BatchHold, createOnce, submitBatch } from './submit.ts'
import { BatchSum, RequestIds } from './sum.ts'
import { uploadAsk } from './upload-file.ts'

const ENDPOINTS: Readonly<Record<string, RelayEntry>> = {
  '/v1/chat/completions': { operation: 'chat', dialect: 'openai-chat' },
  '/v1/completions': { operation: 'chat', dialect: 'openai-completions' },
  '/v1/responses': { operation: 'chat', dialect: 'openai-responses' },
  '/v1/embeddings': { operation: 'embeddings', dialect: 'openai-chat' },
}
/** Limit of OpenAI's API: https://platform.openai.com/docs/api-reference/batch/create */
const REQUESTS_MAX = 50_000
const WINDOW = '24h'
const WINDOW_S = 24 * 3600
/** Maximum number of metadata texts. */
const METADATA_MAX = 16
/** Maximum number of an id's characters in an error. */
const SHOWN_ID_MAX = 100

interface RequestedBatch {
  readonly inputFileId: string
  readonly endpoint: string
  readonly entry: RelayEntry
  readonly metadata: unknown
  readonly outputExpiresAfter: unknown
}

/** Parses a request to create a batch. Throws REQUEST_MALFORMED. */
function readNewBatch(body: Json): RequestedBatch {
  const { input_file_id, endpoint, completion_window, metadata = null, output_expires_after } = body
  const inputFileId = textOf(input_file_id)
  if (!inputFileId) refuse('field input_file_id is required', 'input_file_id')
  const entry = typeof endpoint === 'string' && Object.hasOwn(ENDPOINTS, endpoint) ? ENDPOINTS[endpoint] : undefined
  if (!entry) refuse(`endpoint must be one of ${Object.keys(ENDPOINTS).join(', ')}`, 'endpoint')
  if (completion_window !== WINDOW) refuse(`completion_window must be ${WINDOW}`, 'completion_window')
  if (metadata !== null && !isMetadata(metadata)) {
    refuse(`metadata must be an object of at most ${METADATA_MAX} texts`, 'metadata')
  }
  return { inputFileId, endpoint: String(endpoint), entry, metadata, outputExpiresAfter: output_expires_after }
}

function isMetadata(value: unknown): boolean {
  if (!isRecord(value)) return false
  const texts = Object.values(value)
  return texts.length <= METADATA_MAX && texts.every((text) => typeof text === 'string')
}

/**
 * Creates a batch. Checks the client's file line by line, holds the maximum cost, and uploads a copy of the file with
 * the channel's model mapping and overrides. Then creates the batch at the upstream. Stores the charge and the batch's
 * row together. Continues if the client disconnects.
 *
 * Throws FILE_NOT_FOUND, BATCH_LINE_INVALID, INSUFFICIENT_*, UpstreamFailure and others.
 */
export async function createOpenAiBatch(
  request: FastifyRequest,
  { reply, caller, cut }: { reply: FastifyReply; caller: Caller; cut: SubmissionAbort },
  parts: BatchParts,
): Promise<Json> {
  const newBatch = readNewBatch(parseBody(request.body as Buffer | undefined))
  const file = await parts.toolkit.upstreamFiles.find(objectOwnerOf(caller), newBatch.inputFileId)
  if (!file) throw new GatewayError('FILE_NOT_FOUND', { id: newBatch.inputFileId.slice(0, SHOWN_ID_MAX) })
  if (file.purpose !== 'batch') refuse('the input file must have the purpose batch', 'input_file_id')
  const create = (requestId: string) => createBatch(request, { newBatch, file, caller, cut, requestId }, parts)
  const bytes = await createOnce(request, { reply, caller, create }, parts)
  return recordOf(parseObject(bytes.toString('utf8')))
}

interface Creation {
  readonly newBatch: RequestedBatch
  readonly file: StoredFile
  readonly caller: Caller
  readonly cut: SubmissionAbort
  readonly requestId: string
}

async function createBatch(request: FastifyRequest, creation: Creation, parts: BatchParts): Promise<Buffer> {
  const { newBatch, file, caller, cut } = creation
  const channel = channelOf(file, parts)
  const releaseSlot = parts.slots.acquire(caller.user.id)
  const hold = new BatchHold(request, caller, parts.toolkit)
  const spools: Spool[] = []
  const open = async () => {
    const spool = await openSpool('input.jsonl')
    spools.push(spool)
    return spool
  }
  try {
    const inputCopy = { newBatch, file, channel, hold, language: relayLanguageOf(request) }
    const checked = await checkLines(inputCopy, { cut, spool: await open() }, parts)
    const requester = { request, caller, cut, entry: newBatch.entry, slices: new Slices() }
    const spool = await open()
    const sum = await admitLines({ ...inputCopy, requester, checked }, spool.write, parts)
    return await send({ ...creation, channel, sum, hold, input: await spool.end() }, parts)
  } finally {
    hold.release()
    for (const spool of spools) await spool.discard()
    releaseSlot()
  }
}

/** Returns the channel at which a file is stored. Throws BATCH_CHANNEL_GONE if the channel is deleted or disabled. */
function channelOf(file: StoredFile, { directory }: Pick<BatchParts, 'directory'>): LiveChannel {
  const channel = directory.find(file.channelId)
  if (channel?.status !== CHANNEL_STATUS.enabled) {
    throw new GatewayError('BATCH_CHANNEL_GONE', { id: file.fileId.slice(0, SHOWN_ID_MAX) })
  }
  return withStoredKey(channel, file.keyDigest)
}

/** The client's file, and the channel at which the file is stored. */
interface InputCopy {
  readonly newBatch: RequestedBatch
  readonly file: StoredFile
  readonly channel: LiveChannel
  readonly hold: BatchHold
  readonly language: Language
}

/**
 * Copies the client's file to disk and runs cheap checks of all lines, before any request is admitted. Throws
 * LIMIT_REACHED, or BATCH_LINE_INVALID with the line number.
 */
async function checkLines(
  { newBatch, file, channel, hold, language }: InputCopy,
  { cut, spool }: { cut: SubmissionAbort; spool: Spool },
  { upstream, config }: BatchParts,
): Promise<UploadedFile> {
  const { body } = await upstream.open(channel, { method: 'GET', path: filePath(file.fileId, '/content'), cut })
  async function* spooled(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      await spool.write(chunk)
      yield chunk
    }
  }
  const slices = new Slices()
  const ids = new RequestIds()
  let count = 0
  let model: unknown
  for await (const { number, bytes } of splitLines(spooled(), { lineBytesMax: config.bodyMax })) {
    try {
      if (++count > REQUESTS_MAX) refuse(`a batch can have at most ${REQUESTS_MAX} requests`)
      new JsonScan(jsonLimits(config.bodyItemsMax)).read(bytes)
      const line = readLine(bytes, newBatch.endpoint)
      ids.add(line.customId)
      if (count === 1) {
        model = line.body.model
        await hold.start(model)
      } else if (line.body.model !== model) refuseOtherModel(model, line.body.model)
    } catch (error) {
      throw atLine(number, error, language)
    }
    await slices.pause()
  }
  if (count === 0) refuse('the input file has no requests', 'input_file_id')
  return spool.end()
}

function refuseOtherModel(first: unknown, other: unknown): never {
  const modelText = (model: unknown) => wordOf(model).slice(0, SHOWN_ID_MAX)
  refuse(`all requests must be for one model, not for ${modelText(first)} and ${modelText(other)}`)
}

/**
 * Admits the requests of a checked file and holds their cost. Writes each request as a line for the channel. Throws
 * BATCH_LINE_INVALID.
 */
async function admitLines(
  copy: InputCopy & { requester: BatchRequester; checked: UploadedFile },
  write: Spool['write'],
  parts: BatchParts,
): Promise<BatchSum> {
  const { requester, newBatch, checked, channel, hold, language } = copy
  const { slices } = requester
  const sum = new BatchSum()
  for await (const { number, bytes } of splitLines(checked.open(), { lineBytesMax: parts.config.bodyMax })) {
    try {
      const line = readLine(bytes, newBatch.endpoint)
      await slices.pause()
      await write(await lineForUpstream(line, { requester, newBatch, channel, sum }, parts))
    } catch (error) {
      throw atLine(number, error, language)
    }
    await slices.pause()
    await hold.coverSometimes(sum, slices)
  }
  return sum
}

async function lineForUpstream(
  { customId, body: requestBody }: InputLine,
  target: { requester: BatchRequester; newBatch: RequestedBatch; channel: LiveChannel; sum: BatchSum },
  parts: BatchParts,
): Promise<string> {
  const { requester, newBatch, channel, sum } = target
  const request = await admitBatchRequest(requestBody, requester, parts)
  const { admitted } = request
  if (!serves(channel, admitted)) {
    refuse(`the channel that has the file does not serve ${admitted.model}, or lacks an object of the request`)
  }
  await requester.slices.pause()
  const body = await bodyForUpstream(admitted, channel, { cut: requester.cut, links: parts.links })
  sum.add(customId, request)
  const head = JSON.stringify({ custom_id: customId, method: 'POST', url: newBatch.endpoint }).slice(0, -1)
  return `${head},"body":${body}}\n`
}

/** Adds a line's number to an error that the line caused. Returns any other error unchanged. */
function atLine(line: number, error: unknown, language: Language): unknown {
  if (!(error instanceof GatewayError) || error.code === 'BATCH_LINE_INVALID') return error
  if (!REQUEST_ERROR_KINDS.has(error.kind)) return error
  return new GatewayError('BATCH_LINE_INVALID', { line, reason: errorText(error, language) }, { cause: error })
}
/** Kinds of errors for which a request in the batch is to blame, so that the reply names this request. */
export const REQUEST_ERROR_KINDS: ReadonlySet<string> = new Set([
  'invalid',
  'forbidden',
  'not_found',
  'too_large',
  'not_implemented',
])

async function send(
  creation: Creation & { channel: LiveChannel; sum: BatchSum; hold: BatchHold; input: UploadedFile },
  parts: BatchParts,
): Promise<Buffer> {
  const { newBatch, caller, cut, requestId, channel, sum, hold, input } = creation
  const startedAt = Date.now()
  const ledgerHold = await hold.cover(sum)
  const sentFileId = await uploadInput(input, { channel, cut }, parts)
  // Store the file's id before creating the batch, so that another process can delete the file if this one ends.
  await parts.toolkit.upstreamFiles.addSent({
    fileId: sentFileId,
    channelId: channel.id,
    keyDigest: channel.keyName?.digest ?? '',
  })
  const create = async () => {
    const body = defined({
      input_file_id: sentFileId,
      endpoint: newBatch.endpoint,
      completion_window: WINDOW,
      metadata: newBatch.metadata ?? undefined,
      output_expires_after: newBatch.outputExpiresAfter,
    })
    const ask = { method: 'POST', path: '/v1/batches', cut, body: JSON.stringify(body) } as const
    return createdBatch(await parts.upstream.call(channel, ask), newBatch)
  }
  const expiresAt = Math.floor(startedAt / 1000) + WINDOW_S
  const { endpoint, inputFileId } = newBatch
  const submission = { api: 'openai', endpoint, inputFileId, sentFileId, expiresAt } as const
  const charge = { requestId, caller, channel, hold: ledgerHold, sum, startedAt }
  return Buffer.from((await submitBatch(submission, charge, create, parts)).body)
}

/** Uploads the file with the requests. Returns the file's id at the upstream. */
async function uploadInput(
  file: UploadedFile,
  { channel, cut }: { channel: LiveChannel; cut: SubmissionAbort },
  { upstream }: Pick<BatchParts, 'upstream'>,
): Promise<string> {
  const form = { files: [file], fields: [{ name: 'purpose', value: 'batch' }] }
  const uploaded = await upstream.call(channel, uploadAsk(form, cut))
  const id = textOf(uploaded.id)
  if (id === undefined) throw new Error('An upstream accepted a file and gave it no id')
  return id
}

/** Maximum length of an id, because all ids are in memory while the file is read. */
const CUSTOM_ID_LENGTH_MAX = 512
/** Matches a lone surrogate, which JSON can contain as an escape. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** A request in the input file of an OpenAI batch. */
interface InputLine {
  readonly customId: string
  readonly body: Json
}

/** Parses a line of a batch's input file. Throws REQUEST_MALFORMED. */
function readLine(bytes: Buffer, endpoint: string): InputLine {
  const line = parseObject(bytes.toString('utf8'))
  if (!line) throw new GatewayError('REQUEST_MALFORMED', because('notJsonObject'))
  const customId = textOf(line.custom_id)
  if (customId === undefined) refuse('field custom_id is required')
  // Upstreams replace every lone surrogate by the same character, which would make different ids equal. Only one
  // request with an id is charged.
  if (LONE_SURROGATE.test(customId)) refuse('custom_id must not contain half of a surrogate pair', 'custom_id')
  if (customId.length > CUSTOM_ID_LENGTH_MAX) {
    refuse(`custom_id can have at most ${CUSTOM_ID_LENGTH_MAX} characters`, 'custom_id')
  }
  if (line.method !== 'POST') refuse('method must be POST')
  if (line.url !== endpoint) refuse(`url must be ${endpoint}, the endpoint of the batch`)
  if (!isRecord(line.body)) refuse('body must be an object')
  return { customId, body: line.body }
}
