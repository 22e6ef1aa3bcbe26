import type { ReplyEvent } from '../../conversation/conversation.ts'
import { countOf, isObject, type Json, objectOf, textOf } from '../../json.ts'

/** Tools that run in the request's container, which is charged once. */
const IN_CONTAINER = /^(bash_|text_editor_)?code_execution/
/** Only these results create files. Others may repeat file ids from the client's own servers. */
const CODE_RESULT = /code_execution_tool_result$/
const REQUESTS = '_requests'

/**
 * Counts the calls of Claude's hosted tools, from their first block until the usage reports them, and reports the container
 * and files that they created. https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */
export function createHostedBlocks() {
  const begun = new Map<string, number>()

  function call(name: string): ReplyEvent[] {
    const tool = IN_CONTAINER.test(name) ? 'code_execution' : name.startsWith('tool_search') ? 'tool_search' : name
    const calls = tool === 'code_execution' ? 1 : (begun.get(tool) ?? 0) + 1
    begun.set(tool, calls)
    return [{ kind: 'hosted', tool, calls }]
  }

  return {
    block(block: Json): ReplyEvent[] {
      const { type, name } = block
      if (type === 'server_tool_use') return textOf(name) === undefined ? [] : call(String(name))
      if (type === 'mcp_tool_use') return call('mcp')
      return typeof type === 'string' && CODE_RESULT.test(type) ? filesIn(block.content) : []
    },
    /** The usage excludes failed searches; before the end it has zeros. */
    reported(usage: unknown): ReplyEvent[] {
      const reported = objectOf(objectOf(usage).server_tool_use)
      return Object.entries(reported).flatMap(([name, count]): ReplyEvent[] => {
        if (!name.endsWith(REQUESTS)) return []
        const tool = name.slice(0, -REQUESTS.length)
        if (IN_CONTAINER.test(tool)) return countOf(count) > 0 ? call(tool) : []
        return [{ kind: 'hosted', tool, calls: countOf(count) }]
      })
    },
    container(container: unknown): ReplyEvent[] {
      const id = textOf(objectOf(container).id)
      return id === undefined ? [] : [{ kind: 'stored', object: { kind: 'container', id } }]
    },
  }
}

/** Returns the files that code created, at any depth of a result. */
function filesIn(content: unknown): ReplyEvent[] {
  if (Array.isArray(content)) return content.flatMap(filesIn)
  if (!isObject(content)) return []
  const id = textOf(content.file_id)
  const stored: ReplyEvent[] = id === undefined ? [] : [{ kind: 'stored', object: { kind: 'file', id } }]
  return [...stored, ...filesIn(content.content)]
}
