import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import type { OwnDrawing } from '../../../../core/tasks/drawings.ts'
import { troubleOf, withoutParams } from '../exchange.ts'
import { callerOf } from '../submission.ts'
import { callDrawingServer, channelOf, type DrawingParts, disconnectSignal, noReplyError } from './exchange.ts'
import { drawingError } from './refusal.ts'
import { bodyOf, type DrawingRequest, upstreamPath } from './request.ts'
import { cleanAnswer, readAnswer, withAllFields, wordsFor } from './submit-answer.ts'

const SEED_TIMEOUT_MS = 30_000
const IDS_MAX = 1000

/** Returns a drawing of the caller. Throws TOKEN_*, USER_DISABLED, DRAWING_REFUSED. */
export async function fetchDrawing(parts: DrawingParts, request: DrawingRequest) {
  return toWire(parts, await getOwnDrawing(parts, request))
}

/** Returns the caller's drawings with the ids in the body. Throws TOKEN_*, USER_DISABLED, DRAWING_REFUSED. */
export async function listCallerDrawings(parts: DrawingParts, request: FastifyRequest) {
  const caller = await callerOf(parts.toolkit, request, { free: true })
  const { ids } = malformedAs('do_request_failed', () => bodyOf(request))
  if (ids === undefined || ids === null) return []
  if (!Array.isArray(ids)) throw drawingError('do_request_failed', { result: 'ids is not a list' })
  if (ids.length > IDS_MAX) throw drawingError('do_request_failed', { result: `more than ${IDS_MAX} ids` })
  const validIds = ids.filter((id) => typeof id === 'string' || typeof id === 'number').map(String)
  const rows = await parts.toolkit.drawings.listOwn(caller.user.id, validIds)
  return rows.map((row) => toWire(parts, row))
}

/**
 * Asks the upstream for the seed of the caller's drawing. The gateway does not store seeds. Throws TOKEN_*,
 * USER_DISABLED, DRAWING_REFUSED, CHANNEL_MISCONFIGURED.
 */
export async function fetchSeed(parts: DrawingParts, request: DrawingRequest, reply: FastifyReply) {
  const drawing = await getOwnDrawing(parts, request)
  const channel = channelOf(parts, drawing)
  const path = upstreamPath(request, `task/${encodeURIComponent(drawing.mj_id)}/image-seed`)
  const options = { timeoutMs: SEED_TIMEOUT_MS, interruption: { signal: disconnectSignal(reply), cause: undefined } }
  const seedReply = await callDrawingServer(parts, withoutParams(channel), { path }, options).catch((cause) => {
    throw cause instanceof GatewayError ? cause : noReplyError(troubleOf(cause), cause)
  })
  const answer = cleanAnswer(readAnswer(seedReply), wordsFor(channel))
  reply.code(seedReply.status)
  return withAllFields(answer)
}

async function getOwnDrawing({ toolkit }: DrawingParts, request: DrawingRequest): Promise<OwnDrawing> {
  const caller = await callerOf(toolkit, request, { free: true })
  const drawing = await toolkit.drawings.findOwn(caller.user.id, request.params.id)
  if (!drawing) throw drawingError('task_no_found')
  return drawing
}

function malformedAs<T>(reason: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const isMalformed = cause instanceof GatewayError && cause.code === 'REQUEST_MALFORMED'
    throw isMalformed ? drawingError(reason, { cause }) : cause
  }
}

/**
 * Converts a drawing to the format of the drawing API. Until the drawing has succeeded, adds a unique `rand` to the
 * gateway's image URL. So clients do not cache a preview.
 */
function toWire({ toolkit: { pictureLinks } }: Pick<DrawingParts, 'toolkit'>, row: OwnDrawing) {
  const address = pictureLinks.addressOf(row)
  const isTemporary = address !== row.image_url && row.status !== 'SUCCESS'
  return {
    id: row.mj_id,
    action: row.action,
    customId: row.custom_id,
    botType: row.bot_type,
    prompt: row.prompt,
    promptEn: row.prompt_en,
    description: row.description,
    state: row.state,
    submitTime: row.submit_time,
    startTime: row.start_time,
    finishTime: row.finish_time,
    imageUrl: isTemporary ? `${address}&rand=${process.hrtime.bigint()}` : address,
    videoUrl: row.video_url,
    status: row.status,
    progress: row.progress,
    failReason: row.fail_reason,
    buttons: buttonsOf(row.buttons),
    maskBase64: '',
    properties: { finalPrompt: '', finalZhPrompt: '', ...parseObject(row.properties) },
  }
}

function buttonsOf(text: string): unknown[] {
  try {
    const buttons: unknown = JSON.parse(text)
    return Array.isArray(buttons) ? buttons : []
  } catch {
    return []
  }
}
