import type { Options } from '../../../../core/options/options.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import {
  actionOfButton,
  actionOfChange,
  type DrawingAction,
  parseSimpleChange,
  type Unreadable,
} from '../../../../core/tasks/drawing-actions.ts'
import type { Json } from '../../json.ts'
import { refuseDrawing } from './refusal.ts'

/** Where submissions are sent, below `/mj`, here as upstream. */
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

/** What somebody wants to have drawn. */
export interface Wanted {
  action: DrawingAction
  /** The task that this follows; undefined = none. */
  taskId: string | undefined
  /** What is drawn after, '' where the client says nothing of it. */
  prompt: string
  /** What goes to the upstream. */
  body: Json
}

/** Paths that say by themselves what is wanted. */
const FIXED: Readonly<Partial<Record<SubmitPath, DrawingAction>>> = {
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
/** Fields that decide what is done, for whom, and at what price. */
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
const EXACT = new Map(FIELDS.map((field) => [field.toLowerCase(), field as string]))
/** These leave it to the proxy who draws. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(['prompt', 'base64Array', 'state', 'notifyHook'])
const MODES = /--(?:fast|relax|turbo)/g
/** What a list of tasks is told by in the row of a face swap, which has no prompt. */
const SWAP_PROMPT = 'InsightFace'

/** Reads a submission. Throws DRAWING_REFUSED with the documented word. */
export function readWanted(path: SubmitPath, given: Json, options: Options): Wanted {
  const body = allowed(given, options)
  const prompt = typeof body.prompt === 'string' ? body.prompt : ''
  if (path === 'submit/simple-change') {
    const content = typeof body.content === 'string' ? body.content : ''
    if (content === '') throw refuseDrawing('content_is_required')
    const { taskId, action } = readable(parseSimpleChange(content))
    return { action, taskId, prompt, body }
  }
  if (path === 'submit/imagine' && prompt === '') throw refuseDrawing('prompt_is_required')
  if (path === 'insight-face/swap') {
    if (!body.sourceBase64 || !body.targetBase64) throw refuseDrawing('sour_base64_and_target_base64_is_required')
    return { action: 'SWAP_FACE', taskId: undefined, prompt: SWAP_PROMPT, body }
  }
  return { action: FIXED[path] ?? readable(followUp(path, body)), taskId: idOf(body.taskId), prompt, body }
}

/**
 * Whether every account of a proxy could do what is asked at that path of it: a plain drawing, of no kind of account, by no mode, after
 * no task, and without parameters in the prompt, which not every account allows.
 */
export function suitsEveryAccount({ prompt, body }: Wanted, upstreamPath: string): boolean {
  const isOpen = Object.keys(body).every((field) => OPEN_FIELDS.has(field))
  return upstreamPath === '/mj/submit/imagine' && isOpen && !/--|—/.test(prompt)
}

function followUp(path: SubmitPath, { action, index, customId }: Json): DrawingAction | Unreadable {
  if (path === 'submit/change') return actionOfChange({ action, index })
  if (typeof customId !== 'string' || customId === '') return { problem: 'custom_id_is_required' }
  return actionOfButton(customId)
}

function readable<T extends object | string>(found: T | Unreadable): T {
  if (typeof found === 'object' && 'problem' in found) throw refuseDrawing(found.problem as string)
  return found as T
}

/** Throws DRAWING_REFUSED for what is none: passed over, it would be taken for a drawing that follows nothing. */
function idOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number' || typeof value === 'string') return String(value)
  throw refuseDrawing('bind_request_body_failed', { result: 'taskId is no text' })
}

/**
 * The client's object as an upstream may have it. A field in another case is left out: some upstreams would read it, and do
 * something else than what was priced here.
 */
function allowed(given: Json, options: Options): Json {
  const isVariant = (name: string) => (EXACT.get(name.toLowerCase()) ?? name) !== name
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !isVariant(name)))
  if (!options.get(OPTIONS.MjAccountFilterEnabled)) delete body.accountFilter
  if (!options.get(OPTIONS.MjNotifyEnabled)) delete body.notifyHook
  if (typeof body.prompt === 'string' && options.get(OPTIONS.MjModeClearEnabled))
    body.prompt = body.prompt.replace(MODES, '')
  return body
}
