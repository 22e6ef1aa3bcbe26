import { isObject, type Json, objectsOf } from '../../json.ts'
import { without } from './fields.ts'

/*
 * Changes to a body. Each answers the very object it was given when there is nothing to change.
 */

/** Many vendors refuse a choice among no tools. */
export function withoutIdleChoice(body: Json): Json {
  return objectsOf(body.tools).length > 0 ? body : without(body, ['tool_choice', 'parallel_tool_calls'])
}

/**
 * For vendors with whom nothing forces a call: forbidden tools are not offered, of a choice of names only these are, and
 * the model decides.
 */
export function withAutomaticChoice(body: Json): Json {
  const { tool_choice: choice, ...rest } = body
  if (choice === undefined || choice === null || choice === 'auto') return body
  if (choice === 'none') return without(rest, ['tools', 'parallel_tool_calls'])
  const names = isObject(choice) ? chosenNames(choice) : []
  const tools = objectsOf(body.tools).filter((tool) => names.length === 0 || names.includes(nameOf(tool)))
  return { ...rest, tools, tool_choice: 'auto' }
}

function chosenNames(choice: Json): string[] {
  const allowed = isObject(choice.allowed_tools) ? objectsOf(choice.allowed_tools.tools) : [choice]
  return allowed.map(nameOf).filter((name) => name !== '')
}

function nameOf({ function: called }: Json): string {
  return isObject(called) && typeof called.name === 'string' ? called.name : ''
}
