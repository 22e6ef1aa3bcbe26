import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { type DrawingAction, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import { ADDRESS_LENGTH_MAX } from '../../../../core/tasks/drawing-progress.ts'
import { FINISHED } from '../../../../core/tasks/lifecycle.ts'
import { retryAfter } from '../../attempt/retry-after.ts'
import { isTooDeep, type Json, mapTexts, objectOf, parseObject, textOf, wordOf } from '../../json.ts'
import { failure, readFailure, withoutOwnSecrets, withoutSecrets } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import type { TaskReply } from '../exchange.ts'
import { refuseDrawing, UPSTREAM_ERROR } from './refusal.ts'

const SUBMITTED = 1
const NO_ACCOUNT = 3
const INVALID = 4
const EXISTS = 21
const QUEUED = 22
const QUEUE_FULL = 23
const BANNED = 24
const ACCEPTED: ReadonlySet<number> = new Set([SUBMITTED, EXISTS, QUEUED])
const MJ_ID_LENGTH_MAX = 255
const NO_ACCOUNT_TEXT = 'No available account instance'
/** What a proxy says of a request that is wrong, whatever its status: anybody can be answered so… */
const OF_THE_REQUEST: ReadonlySet<unknown> = new Set([INVALID, BANNED])
/** …but gateways say 4 to everything, and mean the account by these. */
const OF_THE_ACCOUNT: ReadonlySet<number> = new Set([400, 401, 402, 403, 429])

/** What an upstream said to a submission, and what follows from it. */
export interface Judged {
  /** The upstream has the task. */
  accepted: boolean
  /** Its price is due. */
  charged: boolean
  /** '' where the upstream has none. */
  mjId: string
  /** The columns that follow from the answer. */
  row: Readonly<Record<string, string | number>>
  status: number
  /** What the client is told. */
  body: Buffer
}

/** How a client is spoken to: without secrets, and with the address where it finds a picture. */
export interface Words {
  /** An upstream's own words. */
  clean: (text: string) => string
  /** Texts that repeat the client's, or that clients send back. */
  cleanOwn: (text: string) => string
  forward: (picture: { mj_id: string; image_url: string }) => string
}

/** How a channel's answers are told. */
export function wordsFor(channel: LiveChannel): Pick<Words, 'clean' | 'cleanOwn'> {
  return {
    clean: (text) => withoutSecrets(text, channel),
    cleanOwn: (text) => withoutOwnSecrets(text, channel),
  }
}

/**
 * Judges the answer to a submission; times are unix milliseconds. Throws DRAWING_REFUSED for an answer that nobody can be
 * charged by: then nobody knows of a task, and nobody pays.
 */
export function judge(
  { status, bytes }: Pick<TaskReply, 'status' | 'bytes'>,
  {
    action,
    taskId,
    now,
    ...words
  }: Words & {
    action: DrawingAction
    /** The task that was followed. */
    taskId: string | undefined
    now: number
  },
): Judged {
  const answer = readAnswer({ status, bytes })
  const code = answer.code as number
  const accepted = isAccepted(answer)
  const { status: known, failReason } = code === EXISTS ? objectOf(answer.properties) : {}
  const failed = !accepted || known === 'FAILURE'
  const mjId = failed ? rejectedId(answer, taskId) : taskOf(answer, action)
  const description = words.clean(descriptionOf(answer))
  const fail_reason = words.clean(textOf(failReason) ?? description)
  const ended = { code, status: 'FAILURE', progress: FINISHED, finish_time: now, fail_reason }
  const columns = failed ? ended : acceptedColumns(answer, { action, mjId, now })
  const changed = told(answer, { action, mjId, ...words })
  return {
    accepted,
    charged: !failed && status === 200 && (action !== 'SWAP_FACE' || code === SUBMITTED),
    mjId,
    row: { submit_time: now, mj_id: mjId, description, ...columns },
    status,
    body: changed ? Buffer.from(JSON.stringify(changed)) : bytes,
  }
}

/** What asking one channel came to: an answer that can be kept, or why there is none; `failure` as far as its health goes. */
export type DrawingOutcome =
  | { judged: Judged; failure?: undefined }
  | { judged: Judged; failure: Failure }
  | { refusal: GatewayError; failure: Failure }

/**
 * The same as an outcome. Another channel may be asked only where this one surely has not taken the task: its accounts are
 * gone, its queue is full, or its status says so.
 */
export function outcomeOf(
  reply: TaskReply,
  asked: Parameters<typeof judge>[1] & {
    /** Any account could do it. */
    suitsAll: boolean
  },
): DrawingOutcome {
  const { status, headers, bytes } = reply
  const text = bytes.toString('utf8')
  let judged: Judged
  try {
    judged = judge(reply, asked)
  } catch (refusal) {
    if (!(refusal instanceof GatewayError)) throw refusal
    const found = status >= 400 ? readFailure(status, text) : failure(502, 'an answer that cannot be read')
    return { refusal, failure: { ...found, retry: 'never' } }
  }
  const { row, accepted } = judged
  if (accepted && status === 200) return { judged }
  if (row.code === NO_ACCOUNT) {
    // Who asks for an account that a proxy has not got, has not found out that it has none.
    const evidence = asked.suitsAll ? 'account' : 'request'
    return { judged, failure: { ...failure(503, `${NO_ACCOUNT_TEXT}: ${row.description}`), evidence } }
  }
  if (OF_THE_REQUEST.has(row.code) && row.description !== '' && !OF_THE_ACCOUNT.has(status)) return { judged }
  const busy = row.code === QUEUE_FULL ? 429 : undefined
  if (busy === undefined && status < 400) return { judged }
  const retryAfterMs = retryAfter(headers, text, asked.now)
  const found = failure(busy ?? status, String(row.description))
  return {
    judged,
    failure: {
      ...found,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(accepted && { retry: 'never' }),
    },
  }
}

/** The object that every answer of a drawing proxy is. Throws DRAWING_REFUSED. */
export function readAnswer({ status, bytes }: Pick<TaskReply, 'status' | 'bytes'>): Json {
  const refuse = (reason: string, result: string) => refuseDrawing(reason, { result, code: UPSTREAM_ERROR })
  if (bytes.length === 0) throw refuse('empty_response_body', `the upstream answered ${status} with nothing`)
  const answer = parseObject(bytes.toString('utf8'))
  if (isTooDeep(answer, bytes.length)) throw refuse('unmarshal_response_body_failed', 'the answer is nested too deeply')
  if (answer && Number.isSafeInteger(answer.code) && status >= 200 && (status < 300 || status >= 400)) return answer
  throw refuse('unmarshal_response_body_failed', `the upstream answered ${status} with what cannot be read`)
}

/** The id of the task that an upstream has taken. Uploads are done at once, and may answer their addresses instead. */
function taskOf({ result }: Json, action: DrawingAction): string {
  const mjId = typeof result === 'number' || typeof result === 'string' ? String(result) : ''
  const unreadable = (text: string) =>
    refuseDrawing('unmarshal_response_body_failed', { result: text, code: UPSTREAM_ERROR })
  // Cut, an id would be asked for in vain.
  if (mjId.length > MJ_ID_LENGTH_MAX || mjId.includes('\0')) throw unreadable('the task has an id that cannot be kept')
  if (mjId === '' && action !== 'UPLOAD') throw unreadable('the answer names no task')
  return mjId
}

/** A task that goes on although this follow-up was refused must not be found as a failed one. */
function rejectedId({ result }: Json, taskId: string | undefined): string {
  const named = typeof result === 'number' || typeof result === 'string' ? String(result) : ''
  return named === taskId || named.length > MJ_ID_LENGTH_MAX ? '' : named
}

function acceptedColumns(
  { code, result, properties: given }: Json,
  { action, mjId, now }: { action: DrawingAction; mjId: string; now: number },
): Record<string, string | number> {
  const done = { status: 'SUCCESS', progress: FINISHED, start_time: now, finish_time: now }
  const properties = objectOf(given)
  const known = textOf(properties.imageUrl) ?? ''
  // Without an id nobody could ask what has become of it.
  if (action === 'UPLOAD' && (code === SUBMITTED || mjId === '')) {
    const [first] = Array.isArray(result) ? result : []
    return { code: SUBMITTED, ...done, image_url: addressOf(textOf(first) ?? known) }
  }
  const begun = { status: '', progress: '0%' }
  if (code !== EXISTS) return { code: code as number, ...begun }
  const image_url = addressOf(known)
  const status = textOf(properties.status) ?? ''
  if (status === 'SUCCESS') return { code: SUBMITTED, ...done, image_url }
  return { code: EXISTS, ...begun, image_url, status }
}

/** Cut, it would be another. */
const addressOf = (text: string) => (text.length <= ADDRESS_LENGTH_MAX ? text : '')

/** The answer as the client is told it; undefined where it goes on byte for byte. */
function told(
  given: Json,
  { action, mjId, forward, ...words }: Words & { action: DrawingAction; mjId: string },
): Json | undefined {
  const answer = cleaned(given, words)
  if (action === 'SWAP_FACE') return whole(answer)
  const same = answer === given ? undefined : answer
  if (!isAccepted(answer)) return same
  const properties = objectOf(answer.properties)
  const image = typeof properties.imageUrl === 'string' ? properties.imageUrl : ''
  const address = image && forward({ mj_id: mjId, image_url: image })
  const moved = address !== image
  // The client must open the window of these itself, and knows it by the code.
  const isOne = answer.code === QUEUED || (answer.code === EXISTS && !opensModal(action))
  if (!moved && !isOne) return same
  return {
    ...answer,
    ...(isOne && { code: SUBMITTED }),
    ...(moved && { properties: { ...properties, imageUrl: address } }),
  }
}

const isAccepted = ({ code }: Json) => ACCEPTED.has(code as number)

/** An answer with each of the documented fields, whatever else is in it. */
export function whole(answer: Json): Json {
  return { code: 0, description: '', properties: null, result: '', ...answer }
}

/** The same without secrets; ids and the addresses of pictures are what they are. */
export function cleaned(answer: Json, { clean, cleanOwn }: Pick<Words, 'clean' | 'cleanOwn'>): Json {
  const { result, ...said } = answer
  const texts = mapTexts(said, (text, name) => {
    if (name === 'imageUrl') return text
    return name === 'description' ? clean(text) : cleanOwn(text)
  }) as Json
  return texts === said ? answer : { ...answer, ...texts }
}

function descriptionOf({ description }: Json): string {
  if (description === undefined || description === null) return ''
  return wordOf(description)
}
