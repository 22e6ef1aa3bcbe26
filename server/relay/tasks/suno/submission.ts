import { isRecord } from '../../../../core/records.ts'
import { extractText } from '../../admission/extract-text.ts'
import type { Body } from '../../dialects/dialect.ts'
import type { Json } from '../../json.ts'
import { withoutCaseVariants } from '../field-names.ts'
import { invalidMusicRequest, musicRefusal } from './refusal.ts'

/** A client's request for music or lyrics. */
export interface MusicSubmission {
  /** The action's name at the upstream and in the task list. */
  action: 'MUSIC' | 'LYRICS'
  /** The model name that stands for the action. The name determines the channels and the price. */
  model: 'suno_music' | 'suno_lyrics'
  /** Id of the task to continue, if any. This task determines the channel. */
  continues: string | undefined
  body: Json
  /** The text in the task list. */
  input: string
  /** All texts in the body, for the check for sensitive words. */
  texts: string[]
}

const DEFAULT_VERSION = 'chirp-v3-0'
const INPUT_LENGTH_MAX = 10_000
/** The task list shows the first of these fields that is not empty. */
const LISTED_FIELDS = ['gpt_description_prompt', 'prompt', 'tags', 'title'] as const
/** Fields that must be strings if present. */
const TEXT_FIELDS = [...LISTED_FIELDS, 'mv', 'task_id', 'continue_clip_id', 'notify_hook'] as const
const FIELDS = [...TEXT_FIELDS, 'continue_at', 'make_instrumental'] as const

/**
 * Parses a submission. `pathAction` is the action in the path, in upper or lower case. Throws MUSIC_REFUSED.
 *
 * If `notifies` is false, removes the URL that the upstream would call at the end.
 */
export function readSubmission(pathAction: string, body: Body, { notifies }: { notifies: boolean }): MusicSubmission {
  const action = pathAction.toUpperCase()
  if (action !== 'MUSIC' && action !== 'LYRICS') throw musicRefusal('invalid_action')
  const fields = withoutNulls(withoutCaseVariants(body, FIELDS))
  if (!notifies) delete fields.notify_hook
  for (const field of TEXT_FIELDS) {
    if (fields[field] !== undefined && typeof fields[field] !== 'string')
      throw invalidMusicRequest(`${field} must be a text`)
  }
  const textIn = (field: (typeof TEXT_FIELDS)[number]) => (fields[field] as string | undefined) ?? ''
  if (action === 'LYRICS' && textIn('prompt').trim() === '') throw musicRefusal('prompt_empty')
  const continues = textIn('continue_clip_id') === '' ? undefined : textIn('task_id')
  if (continues === '') throw musicRefusal('task id is empty')
  const inputText = LISTED_FIELDS.map(textIn).find((text) => text !== '') ?? ''
  return {
    action,
    model: action === 'MUSIC' ? 'suno_music' : 'suno_lyrics',
    continues,
    body: action === 'MUSIC' && textIn('mv') === '' ? { ...fields, mv: DEFAULT_VERSION } : fields,
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
  if (!Array.isArray(ids) || isRecord(ids)) throw invalidMusicRequest('ids must be a list')
  if (ids.length > IDS_MAX) throw invalidMusicRequest(`ids must have at most ${IDS_MAX} entries`)
  if (ids.some((id) => typeof id !== 'string')) throw invalidMusicRequest('ids must be texts')
  return [...new Set(ids as string[])]
}
const IDS_MAX = 1000
