import { isRecord, recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { countOf, type Json, textOf } from '../../json.ts'

/** Matches tools that run in the request's container, which is charged once. */
const IN_CONTAINER = /^(bash_|text_editor_)?code_execution/
/** Matches results of tools that create files. File ids in other results may come from the client's own servers. */
const CODE_RESULT = /code_execution_tool_result$/
const REQUESTS = '_requests'

/**
 * Counts the calls of Claude's hosted tools by their blocks, until the usage reports the calls. Also reports the
 * container, and files that the tools created.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */
export function createHostedBlocks() {
  const callCounts = new Map<string, number>()

  function countCall(name: string): ReplyEvent[] {
    const tool = IN_CONTAINER.test(name) ? 'code_execution' : name.startsWith('tool_search') ? 'tool_search' : name
    const calls = tool === 'code_execution' ? 1 : (callCounts.get(tool) ?? 0) + 1
    callCounts.set(tool, calls)
    return [{ kind: 'hosted', tool, calls }]
  }

  return {
    block(block: Json): ReplyEvent[] {
      const { type, name } = block
      if (type === 'server_tool_use') return textOf(name) === undefined ? [] : countCall(String(name))
      if (type === 'mcp_tool_use') return countCall('mcp')
      return typeof type === 'string' && CODE_RESULT.test(type) ? filesIn(block.content) : []
    },
    /** Reads the counts in the usage, which do not include failed searches. They are zero before a stream's end. */
    reported(usage: unknown): ReplyEvent[] {
      const reported = recordOf(recordOf(usage).server_tool_use)
      return Object.entries(reported).flatMap(([name, count]): ReplyEvent[] => {
        if (!name.endsWith(REQUESTS)) return []
        const tool = name.slice(0, -REQUESTS.length)
        if (IN_CONTAINER.test(tool)) return countOf(count) > 0 ? countCall(tool) : []
        return [{ kind: 'hosted', tool, calls: countOf(count) }]
      })
    },
    container(container: unknown): ReplyEvent[] {
      const id = textOf(recordOf(container).id)
      return id === undefined ? [] : [{ kind: 'stored', object: { kind: 'container', id } }]
    },
  }
}

/** Returns the files that code created, at any depth of a result. */
function filesIn(content: unknown): ReplyEvent[] {
  if (Array.isArray(content)) return content.flatMap(filesIn)
  if (!isRecord(content)) return []
  const id = textOf(content.file_id)
  const stored: ReplyEvent[] = id === undefined ? [] : [{ kind: 'stored', object: { kind: 'file', id } }]
  return [...stored, ...filesIn(content.content)]
}
