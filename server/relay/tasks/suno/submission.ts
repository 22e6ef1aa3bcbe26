import { extractText } from '../../admission/extract-text.ts'
import type { Body } from '../../dialects/dialect.ts'
import type { Json } from '../../json.ts'
import { withoutCaseVariants } from '../field-names.ts'
import { invalidMusicRequest, musicError } from './refusal.ts'

/** A client's request for music or lyrics. */
export interface MusicSubmission {
  /** The action's name at the upstream and in the task list. */
  action: 'MUSIC' | 'LYRICS'
  /** The model name that stands for the action, and determines the channels and the price. */
  model: 'suno_music' | 'suno_lyrics'
  /** Id of the task to continue, if any. That task determines the channel. */
  continuedTaskId: string | undefined
  /** The body for the upstream. */
  body: Json
  /** The text to show in the task list. */
  input: string
  /** The texts to check for sensitive words. */
  texts: string[]
}

const DEFAULT_VERSION = 'chirp-v3-0'
const INPUT_LENGTH_MAX = 10_000
/** Fields of which the task list shows the first that is not empty. */
const LISTED_FIELDS = ['gpt_description_prompt', 'prompt', 'tags', 'title'] as const
/** Fields that must be strings if present. */
const TEXT_FIELDS = [...LISTED_FIELDS, 'mv', 'task_id', 'continue_clip_id', 'notify_hook'] as const
const FIELDS = [...TEXT_FIELDS, 'continue_at', 'make_instrumental'] as const

/**
 * Parses a submission. `pathAction` is the action in the path, in any case. If `canNotify` is false, removes
 * `notify_hook`, the URL that the upstream would call when the task ends. Throws MUSIC_REFUSED.
 */
export function readSubmission(pathAction: string, body: Body, { canNotify }: { canNotify: boolean }): MusicSubmission {
  const action = pathAction.toUpperCase()
  if (action !== 'MUSIC' && action !== 'LYRICS') throw musicError('invalid_action')
  const fields = withoutNulls(withoutCaseVariants(body, FIELDS))
  if (!canNotify) delete fields.notify_hook
  for (const field of TEXT_FIELDS) {
    if (fields[field] !== undefined && typeof fields[field] !== 'string')
      throw invalidMusicRequest(`${field} must be a text`)
  }
  const fieldText = (field: (typeof TEXT_FIELDS)[number]) => (fields[field] as string | undefined) ?? ''
  if (action === 'LYRICS' && fieldText('prompt').trim() === '') throw musicError('prompt_empty')
  const continuedTaskId = fieldText('continue_clip_id') === '' ? undefined : fieldText('task_id')
  if (continuedTaskId === '') throw musicError('task id is empty')
  const inputText = LISTED_FIELDS.map(fieldText).find((text) => text !== '') ?? ''
  return {
    action,
    model: action === 'MUSIC' ? 'suno_music' : 'suno_lyrics',
    continuedTaskId,
    body: action === 'MUSIC' && fieldText('mv') === '' ? { ...fields, mv: DEFAULT_VERSION } : fields,
    input: [...inputText].slice(0, INPUT_LENGTH_MAX).join(''),
    texts: extractText(fields),
  }
}

/** Removes nulls, which some clients send for omitted fields. */
function withoutNulls(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

/** Returns the ids in a request for several tasks. Throws MUSIC_REFUSED. */
export function readIds(body: Body): string[] {
  const { ids = [] } = body
  if (!Array.isArray(ids)) throw invalidMusicRequest('ids must be a list')
  if (ids.length > IDS_MAX) throw invalidMusicRequest(`ids must have at most ${IDS_MAX} entries`)
  if (ids.some((id) => typeof id !== 'string')) throw invalidMusicRequest('ids must be texts')
  return [...new Set<string>(ids)]
}
const IDS_MAX = 1000
