import type { Options } from '../../../../core/options/options.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import {
  actionOfButton,
  actionOfChange,
  type DrawingAction,
  type InvalidAction,
  parseSimpleChange,
} from '../../../../core/tasks/drawing-actions.ts'
import type { Json } from '../../json.ts'
import { withoutCaseVariants } from '../field-names.ts'
import { drawingError } from './refusal.ts'

/** Paths of submissions below `/mj`, at the gateway and at upstreams. */
export const SUBMIT_PATHS = [
  'submit/imagine',
  'submit/describe',
  'submit/blend',
  'submit/shorten',
  'submit/upload-discord-images',
  'submit/modal',
  'submit/edits',
  'submit/video',
  'submit/change',
  'submit/simple-change',
  'submit/action',
  'insight-face/swap',
] as const
export type SubmitPath = (typeof SUBMIT_PATHS)[number]

/** A client's request for a drawing. */
export interface DrawingSubmission {
  action: DrawingAction
  /** Id of the previous task that this task continues, if any. */
  taskId: string | undefined
  /** The prompt, or '' if there is none. */
  prompt: string
  /** The body for the upstream. */
  body: Json
}

/** The action of each path that has only one action. */
const ACTION_OF_PATH: Readonly<Partial<Record<SubmitPath, DrawingAction>>> = {
  'submit/imagine': 'IMAGINE',
  'submit/describe': 'DESCRIBE',
  'submit/blend': 'BLEND',
  'submit/shorten': 'SHORTEN',
  'submit/upload-discord-images': 'UPLOAD',
  'submit/modal': 'MODAL',
  'submit/edits': 'EDITS',
  'submit/video': 'VIDEO',
  'insight-face/swap': 'SWAP_FACE',
}
/** The documented fields, which decide the action, the account and the price. */
const FIELDS = [
  'prompt',
  'customId',
  'botType',
  'notifyHook',
  'action',
  'index',
  'state',
  'taskId',
  'base64Array',
  'content',
  'maskBase64',
  'accountFilter',
  'sourceBase64',
  'targetBase64',
] as const
/** Fields that leave the choice of the account to the drawing server. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(['prompt', 'base64Array', 'state', 'notifyHook'])
const MODES = /--(?:fast|relax|turbo)/g
/** The prompt of a face swap in lists of tasks. A face swap itself has no prompt. */
const SWAP_PROMPT = 'InsightFace'

/** Parses a submission. Throws DRAWING_REFUSED with the documented reason. */
export function parseSubmission(path: SubmitPath, clientBody: Json, options: Options): DrawingSubmission {
  const body = withoutForbidden(clientBody, options)
  const prompt = typeof body.prompt === 'string' ? body.prompt : ''
  if (path === 'submit/simple-change') {
    const content = typeof body.content === 'string' ? body.content : ''
    if (content === '') throw drawingError('content_is_required')
    const { taskId, action } = orThrow(parseSimpleChange(content))
    return { action, taskId, prompt, body }
  }
  if (path === 'submit/imagine' && prompt === '') throw drawingError('prompt_is_required')
  if (path === 'insight-face/swap') {
    if (!body.sourceBase64 || !body.targetBase64) throw drawingError('sour_base64_and_target_base64_is_required')
    return { action: 'SWAP_FACE', taskId: undefined, prompt: SWAP_PROMPT, body }
  }
  return { action: ACTION_OF_PATH[path] ?? orThrow(followUp(path, body)), taskId: idOf(body.taskId), prompt, body }
}

/**
 * Whether any account of a drawing server could serve a request. False for a request with an account filter, a mode or
 * a previous task, and for a prompt with parameters, which not every account allows.
 */
export function suitsEveryAccount({ prompt, body }: DrawingSubmission, upstreamPath: string): boolean {
  const isOpen = Object.keys(body).every((field) => OPEN_FIELDS.has(field))
  return upstreamPath === '/mj/submit/imagine' && isOpen && !/--|—/.test(prompt)
}

function followUp(path: SubmitPath, { action, index, customId }: Json): DrawingAction | InvalidAction {
  if (path === 'submit/change') return actionOfChange({ action, index })
  if (typeof customId !== 'string' || customId === '') return { problem: 'custom_id_is_required' }
  return actionOfButton(customId)
}

function orThrow<T extends object | string>(parsed: T | InvalidAction): T {
  if (typeof parsed === 'object' && 'problem' in parsed) throw drawingError(parsed.problem as string)
  return parsed as T
}

/**
 * Returns the id of the previous task as a string, if any. Throws DRAWING_REFUSED for an invalid id, without which the
 * task would not count as a follow-up.
 */
function idOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number' || typeof value === 'string') return String(value)
  throw drawingError('bind_request_body_failed', { result: 'taskId is no text' })
}

/**
 * Returns the client's object without the fields that options forbid, and without fields in another case. Some
 * upstreams would read such fields, and the task could cost more than the gateway's price.
 */
function withoutForbidden(clientBody: Json, options: Options): Json {
  const body = withoutCaseVariants(clientBody, FIELDS)
  if (!options.get(OPTIONS.MjAccountFilterEnabled)) delete body.accountFilter
  if (!options.get(OPTIONS.MjNotifyEnabled)) delete body.notifyHook
  if (typeof body.prompt === 'string' && options.get(OPTIONS.MjModeClearEnabled))
    body.prompt = body.prompt.replace(MODES, '')
  return body
}
