import type { TagEdit } from '../../../api/channel-form.ts'
import { PRIORITY_MIN, WEIGHT_MIN, WHOLE_MAX } from '../../../api/channels.ts'

/** New values for all channels of a tag. Empty fields change nothing, but an empty `new_tag` changes the tag. */
export interface TagForm {
  new_tag: string
  models: string[]
  groups: string[]
  model_mapping: string
  /** The text of the field. `weight` has the same format. */
  priority: string
  weight: string
}

export function tagFormOf(tag: string): TagForm {
  return { new_tag: tag, models: [], groups: [], model_mapping: '', priority: '', weight: '' }
}

/** Returns the changes in the form; undefined if the form has no changes. */
export function tagEditOf(tag: string, form: TagForm): TagEdit | undefined {
  const new_tag = form.new_tag.trim()
  const changes: Omit<TagEdit, 'tag'> = {
    ...(new_tag !== tag && { new_tag }),
    ...(form.models.length > 0 && { models: form.models.join(',') }),
    ...(form.groups.length > 0 && { groups: form.groups.join(',') }),
    ...(form.model_mapping.trim() && { model_mapping: form.model_mapping.trim() }),
    ...(form.priority.trim() && { priority: Number(form.priority) }),
    ...(form.weight.trim() && { weight: Number(form.weight) }),
  }
  return Object.keys(changes).length > 0 ? { tag, ...changes } : undefined
}

export type NumberProblem = 'badPriority' | 'badWeight' | 'priorityRange' | 'weightRange'

/** Returns the problem of the priority input; undefined if the input is valid or empty. */
export function priorityProblem(text: string): NumberProblem | undefined {
  if (!/^\s*(-?\d+)?\s*$/.test(text)) return 'badPriority'
  return isWithin(text, PRIORITY_MIN) ? undefined : 'priorityRange'
}

export function weightProblem(text: string): NumberProblem | undefined {
  if (!/^\s*\d*\s*$/.test(text)) return 'badWeight'
  return isWithin(text, WEIGHT_MIN) ? undefined : 'weightRange'
}

const isWithin = (text: string, min: number) => text.trim() === '' || (Number(text) >= min && Number(text) <= WHOLE_MAX)
