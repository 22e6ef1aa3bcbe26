import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { chooseKey } from '../../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { candidatesOf, pickChannel, poolOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { recordOf } from '../../../core/records.ts'
import { JsonScan, jsonLimits } from '../../bodies/json-scan.ts'
import { watchPace } from '../../bodies/pace.ts'
import { groupOf } from '../admission/admission.ts'
import { type Caller, objectOwnerOf } from '../admission/authenticate.ts'
import { channelsFor, DISABLED_RETRY_S } from '../admission/channels-for.ts'
import { refuse } from '../dialects/refuse.ts'
import { bodyOfUpload, receiveUpload, type SpooledUpload } from '../endpoints/upload.ts'
import { type Json, textOf } from '../json.ts'
import { multipartBody } from '../providers/openai/multipart-body.ts'
import { unsupported } from '../providers/plan-errors.ts'
import type { Upload, UploadedFile } from '../providers/provider.ts'
import type { SubmissionAbort } from '../tasks/running.ts'
import { splitLines } from './lines.ts'
import type { BatchParts } from './parts.ts'
import { type BatchAsk, UpstreamFailure } from './upstream.ts'

/** Supported purposes of files. The gateway has no API for other purposes, such as fine-tuning. */
const PURPOSES = ['batch', 'user_data', 'vision', 'assistants']
/** Matches the form's fields that are forwarded. */
const FIELDS = /^(purpose|expires_after\[(anchor|seconds)\])$/
/** Maximum bytes of a form, without its file. */
const FORM_BYTES = 1024 * 1024
const UPLOAD_TIMEOUT_MS = 10 * 60_000
const ID_LENGTH_MAX = 128

/**
 * Receives a file on disk, uploads it to a channel of the caller's group, and stores its owner. Resolves with the
 * upstream's JSON after the owner is committed.
 *
 * Throws FILES_TOO_MANY, REQUEST_TOO_LARGE, REQUEST_MALFORMED, BATCH_LINE_INVALID, RATE_LIMITED, OPERATION_UNSUPPORTED,
 * UpstreamFailure, and the errors of `receiveUpload` and `channelsFor`.
 */
export async function uploadFile(
  request: FastifyRequest,
  { caller, cut }: { caller: Caller; cut: SubmissionAbort },
  parts: BatchParts,
): Promise<Json> {
  const { body: payload } = request
  const { options, upstreamFiles } = parts.toolkit
  const filesMax = options.get(OPTIONS.FilesMax)
  // Concurrent uploads may exceed the limit by their number, which is small.
  if ((await upstreamFiles.countUploaded(objectOwnerOf(caller))) >= filesMax) {
    throw new GatewayError('FILES_TOO_MANY', { max: filesMax })
  }
  if (!(payload instanceof Readable)) refuse('the body must be a form (multipart/form-data) with purpose and file')
  const { upload, releaseSlot } = await receive(payload, { request, caller }, parts)
  try {
    const { purpose } = bodyOfUpload(upload)
    const [file, ...otherFiles] = upload.files
    if (!file || otherFiles.length > 0 || file.field !== 'file')
      refuse('the form must have exactly one file, in the field file', 'file')
    if (typeof purpose !== 'string' || !PURPOSES.includes(purpose)) {
      refuse(`purpose must be one of ${PURPOSES.join(', ')}`, 'purpose')
    }
    const bytesMax = options.get(OPTIONS.MaxFileBytes)
    if (file.bytes > bytesMax) throw new GatewayError('REQUEST_TOO_LARGE', { max: bytesMax })
    if (file.bytes === 0) refuse('the file is empty', 'file')
    const model = purpose === 'batch' ? await firstModel(file, parts) : undefined
    const channels = channelsForFile({ caller, model }, parts)
    const { channel, uploaded } = await send(upload, { caller, cut, channels }, parts)
    await storeOwner(uploaded, { caller, channel, purpose }, parts)
    return uploaded
  } finally {
    await upload.discard()
    releaseSlot()
  }
}

async function receive(
  payload: Readable,
  { request, caller }: { request: FastifyRequest; caller: Caller },
  { toolkit, slots, bodies }: BatchParts,
): Promise<{ upload: SpooledUpload; releaseSlot: () => void }> {
  let releaseSlot = () => {}
  try {
    releaseSlot = slots.acquire(caller.user.id)
    const upload = await receiveUpload(payload, {
      headers: request.headers,
      bytesMax: toolkit.options.get(OPTIONS.MaxFileBytes) + FORM_BYTES,
      share: bodies.open({ address: request.ip, userId: caller.user.id }),
      watch: (abort) => watchPace(request.raw.socket, abort),
    })
    return { upload, releaseSlot }
  } catch (error) {
    // Many clients read the error only after they have sent the whole body.
    payload.resume()
    releaseSlot()
    throw error
  }
}

/**
 * Returns the model of the first request in a file, which the channel must serve. Returns undefined if the request is
 * invalid, because only the creation of a batch reports this error. Throws BATCH_LINE_INVALID or REQUEST_MALFORMED if
 * the line is too large to parse.
 */
async function firstModel(file: UploadedFile, { config }: BatchParts): Promise<string | undefined> {
  const stream = file.open()
  try {
    for await (const { bytes } of splitLines(stream, { lineBytesMax: config.bodyMax })) {
      new JsonScan(jsonLimits(config.bodyItemsMax)).read(bytes)
      return textOf(recordOf(parseObject(bytes.toString('utf8'))?.body).model)
    }
    return undefined
  } finally {
    stream.destroy()
  }
}

/**
 * Returns the channels to which a file may be uploaded. Throws OPERATION_UNSUPPORTED, CHANNELS_DISABLED, and the errors
 * of `channelsFor`.
 */
function channelsForFile(
  { caller, model }: { caller: Caller; model: string | undefined },
  { toolkit, directory }: Pick<BatchParts, 'toolkit' | 'directory'>,
): LiveChannel[] {
  const group = groupOf(caller, toolkit.options)
  const { pinnedChannelId } = caller
  const candidates =
    model === undefined
      ? directory.all().filter(({ id, groups }) => (pinnedChannelId ? id === pinnedChannelId : groups.includes(group)))
      : candidatesOf(channelsFor(caller, { model, group, directory }))
  const supportingChannels = candidates.filter(({ type }) => type.batchApi === 'openai')
  const channels = supportingChannels.filter(({ status }) => status === CHANNEL_STATUS.enabled)
  if (channels.length > 0) return channels
  if (supportingChannels.length > 0)
    throw new GatewayError('CHANNELS_DISABLED', { model: 'files', seconds: DISABLED_RETRY_S })
  return unsupported(model === undefined ? 'no channel takes files' : `no channel takes files and batches for ${model}`)
}

/** Tries channels until one accepts the file. Throws the last UpstreamFailure, or CHANNELS_UNHEALTHY. */
async function send(
  upload: SpooledUpload,
  { caller, cut, channels }: { caller: Caller; cut: SubmissionAbort; channels: readonly LiveChannel[] },
  { toolkit, health, upstream }: BatchParts,
): Promise<{ channel: LiveChannel; uploaded: Json }> {
  const pool = poolOf(channels)
  const relayHealth = health.begin({ model: '', via: 'files', pinned: caller.pinnedChannelId > 0 })
  const tried = new Set<number>()
  let lastFailure: UpstreamFailure | undefined
  const fields = upload.fields.filter(({ name }) => FIELDS.test(name))
  while (tried.size <= toolkit.options.get(OPTIONS.RetryTimes)) {
    const picked = pickChannel(pool, (channel) => !tried.has(channel.id) && relayHealth.allows(channel), Math.random)
    const channel = picked && chooseKey(picked, () => true, Math.random)
    if (!channel) break
    tried.add(channel.id)
    try {
      return { channel, uploaded: await upstream.call(channel, uploadAsk({ files: upload.files, fields }, cut)) }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      lastFailure = error
      // Even after a broken connection, a retry is possible, because a second copy of a file costs nothing.
      if (error.failure.retry === 'never') break
    }
  }
  throw lastFailure ?? new GatewayError('CHANNELS_UNHEALTHY', { model: 'files', seconds: 30 })
}

/** Returns the request that uploads a form with a file. */
export function uploadAsk(upload: Upload, cut: SubmissionAbort): BatchAsk {
  return { method: 'POST', path: '/v1/files', ...multipartBody(upload), timeoutMs: UPLOAD_TIMEOUT_MS, cut }
}

async function storeOwner(
  uploaded: Json,
  { caller, channel, purpose }: { caller: Caller; channel: LiveChannel; purpose: string },
  { toolkit }: Pick<BatchParts, 'toolkit'>,
): Promise<void> {
  const fileId = textOf(uploaded.id)
  if (fileId === undefined || fileId.length > ID_LENGTH_MAX)
    throw new Error('An upstream accepted a file without an id')
  const place = { channelId: channel.id, keyDigest: channel.keyName?.digest ?? '' }
  const file = { ...place, ...objectOwnerOf(caller), fileId, purpose, body: JSON.stringify(uploaded), batchRow: 0 }
  const added = await toolkit.upstreamFiles.add([file])
  if (added === 0) throw new Error(`An upstream gave the id ${fileId} of another file`)
  await toolkit.storedObjects.add(objectOwnerOf(caller), place, [{ kind: 'file', id: fileId }])
}
