import { isRecord } from '../../../../core/records.ts'
import { type Json, objectsOf } from '../../json.ts'
import { withoutFields } from './fields.ts'

/**
 * Replaces the tool choice by `auto`, for vendors that cannot force a call, and removes the tools that the choice does
 * not allow. Returns the same object if nothing changes.
 */
export function withAutomaticChoice(body: Json): Json {
  const { tool_choice: choice, ...rest } = body
  if (choice === undefined || choice === null || choice === 'auto') return body
  if (choice === 'none') return withoutFields(rest, ['tools', 'parallel_tool_calls'])
  const names = isRecord(choice) ? chosenNames(choice) : []
  const tools = objectsOf(body.tools).filter((tool) => names.length === 0 || names.includes(nameOf(tool)))
  return { ...rest, tools, tool_choice: 'auto' }
}

function chosenNames(choice: Json): string[] {
  const allowed = isRecord(choice.allowed_tools) ? objectsOf(choice.allowed_tools.tools) : [choice]
  return allowed.map(nameOf).filter((name) => name !== '')
}

function nameOf({ function: called }: Json): string {
  return isRecord(called) && typeof called.name === 'string' ? called.name : ''
}
