import { recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'

/** Types of items that are calls of the client's tools. */
const CLIENT_CALLS = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'apply_patch_call',
])
/** Tools with a price per container instead of per call. */
const IN_CONTAINERS = new Set(['code_interpreter', 'shell'])
/** Actions of the web search tool that are free. Only searches have a price. */
const FREE_ACTIONS = new Set(['open_page', 'find_in_page', 'find'])

interface CountedCall {
  tool: string
  /** The container of a call, or else the call's item. All calls with the same unit count as one call. */
  unit: string
}

/**
 * Counts the calls of OpenAI's hosted tools among a response's items. A call counts from its start. Also reports
 * objects that the upstream stored. https://platform.openai.com/docs/api-reference/responses/object
 */
export function createHostedItems() {
  /** The counted calls by the index of their items. */
  const countedCalls = new Map<number, CountedCall>()
  const reportedIds = new Set<string>()
  let isStored = true

  /** Number of items by tool and unit, updated for each item, because recounting a large reply would be slow. */
  const unitsOf = new Map<string, Map<string, number>>()

  const countOf = (tool: string): number => unitsOf.get(tool)?.size ?? 0

  function add({ tool, unit }: CountedCall, change: 1 | -1): void {
    const units = unitsOf.get(tool) ?? new Map<string, number>()
    unitsOf.set(tool, units)
    const items = (units.get(unit) ?? 0) + change
    if (items > 0) units.set(unit, items)
    else units.delete(unit)
  }

  /** Counts an item, which replaces an earlier state of the item. */
  function count(item: Json, index: number): ReplyEvent[] {
    const type = textOf(item.type) ?? ''
    if (!type.endsWith('_call') || CLIENT_CALLS.has(type)) return []
    const previousCall = countedCalls.get(index)
    const call = isFree(item) ? undefined : countedCallOf(item, { tool: type.slice(0, -'_call'.length), index })
    if (previousCall) add(previousCall, -1)
    if (call) add(call, 1)
    if (call) countedCalls.set(index, call)
    else countedCalls.delete(index)
    const tools = new Set([previousCall?.tool, call?.tool].filter((tool) => tool !== undefined))
    return [...tools].map((tool) => ({ kind: 'hosted', tool, calls: countOf(tool) }))
  }

  function store(item: Json): ReplyEvent[] {
    const events: ReplyEvent[] = []
    const report = (kind: 'item' | 'container' | 'file', id: unknown) => {
      const name = textOf(id)
      if (name === undefined || reportedIds.has(`${kind} ${name}`)) return
      reportedIds.add(`${kind} ${name}`)
      events.push({ kind: 'stored', object: { kind, id: name } })
    }
    if (isStored) report('item', item.id)
    report('container', item.container_id)
    report('container', recordOf(item.environment).container_id)
    for (const { files } of objectsOf(item.outputs)) for (const { file_id } of objectsOf(files)) report('file', file_id)
    for (const { annotations } of objectsOf(item.content)) {
      for (const { type, file_id, container_id } of objectsOf(annotations)) {
        // Other citations name files that existed before the response.
        if (type !== 'container_file_citation') continue
        report('file', file_id)
        report('container', container_id)
      }
    }
    return events
  }

  return {
    /** Reads the response's own fields. */
    response({ id, store: stores }: Json): ReplyEvent[] {
      isStored = stores !== false
      const name = textOf(id)
      return isStored && name !== undefined ? [{ kind: 'stored', object: { kind: 'response', id: name } }] : []
    },
    begun: (item: Json, index: number): ReplyEvent[] => count(item, index),
    done: (item: Json, index: number): ReplyEvent[] => [...count(item, index), ...store(item)],
  }
}

function isFree({ status, action }: Json): boolean {
  return status === 'failed' || FREE_ACTIONS.has(textOf(recordOf(action).type) ?? '')
}

function countedCallOf(item: Json, { tool, index }: { tool: string; index: number }): CountedCall {
  if (tool === 'image_generation') return { tool: imageTool(item), unit: String(index) }
  if (!IN_CONTAINERS.has(tool)) return { tool, unit: String(index) }
  return { tool, unit: textOf(item.container_id) ?? textOf(recordOf(item.environment).container_id) ?? '' }
}

/** Returns the tool's name with quality and size, which decide the price of an image. Omits a size without quality. */
function imageTool({ quality, size }: Json): string {
  const qualityAndSize = [quality, size].map((value) => (value === 'auto' ? undefined : textOf(value)))
  const variants = qualityAndSize[0] === undefined ? [] : qualityAndSize.filter((value) => value !== undefined)
  return ['image_generation', ...variants].join('/')
}
