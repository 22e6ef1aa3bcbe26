import { createHash } from 'node:crypto'
import { GatewayError } from '../../../../core/errors.ts'
import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation, Effort, Reasoning, ReplyFormat } from '../../conversation/conversation.ts'
import { numberOf, textOf, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'
import { readTools } from './parse-tools.ts'
import { readSystem, readTurn } from './parse-turns.ts'

/** Maximum length of a user id, in characters. Every upstream accepts this length. */
const USER_LENGTH_MAX = 64

/**
 * Parses a Messages request. Throws REQUEST_MALFORMED, which names the field. Throws THREAD_NOT_FOUND if the request
 * continues a thread. https://platform.claude.com/docs/en/api/messages
 */
export function parse(body: Body): Conversation {
  refuseStored(body)
  const config = recordOf(body.output_config)
  return {
    turns: [...readSystem(body.system), ...messagesIn(body).map(readTurn)],
    ...readTools(body),
    ...defined({
      maxTokens: numberOf(body.max_tokens),
      temperature: numberOf(body.temperature),
      topP: numberOf(body.top_p),
      topK: numberOf(body.top_k),
      stop: Array.isArray(body.stop_sequences)
        ? body.stop_sequences.filter((text) => typeof text === 'string')
        : undefined,
      reasoning: readReasoning(recordOf(body.thinking), config.effort),
      format: readFormat(config.format ?? body.output_format),
      user: userOf(body),
    }),
    extras: {},
  }
}

/**
 * Rejects MCP servers, containers and continued threads, which only Anthropic supports. Without the thread, the model
 * would not see the earlier turns.
 */
function refuseStored({ mcp_servers, container, thread }: Body): void {
  if (Array.isArray(mcp_servers) && mcp_servers.length > 0)
    refuse('mcp_servers: this model cannot call MCP servers; run their tools in the client')
  if (container !== undefined && container !== null) refuse('container: this model has no containers; leave it out')
  if (thread === undefined || thread === null) return
  const { type, previous_message_id: id } = recordOf(thread)
  if (type === 'continue') throw new GatewayError('THREAD_NOT_FOUND', { id: wordOf(id) })
  if (type !== 'create') refuse('thread: its type must be create or continue')
}

function messagesIn({ messages }: Body): unknown[] {
  if (!Array.isArray(messages)) refuse('messages must be an array')
  return messages
}

/** Returns the user id, or its SHA-256 hash in hex if the id is too long. */
function userOf({ metadata }: Body): string | undefined {
  const user = textOf(recordOf(metadata).user_id)
  if (user === undefined || user.length <= USER_LENGTH_MAX) return user
  return createHash('sha256').update(user).digest('hex')
}

const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const ADAPTIVE_EFFORT = 'medium'

/**
 * Reads the thinking budget and the effort. If the client sets only a budget, adds an approximate effort, for models
 * that do not support budgets.
 */
function readReasoning({ type, budget_tokens, display }: Body, effort: unknown): Reasoning | undefined {
  const clientEffort = EFFORTS.find((known) => known === effort)
  const visible = display !== 'omitted'
  if (type === 'disabled') return { effort: 'none' }
  if (type === 'adaptive') return { effort: clientEffort ?? ADAPTIVE_EFFORT, visible }
  if (type === 'enabled') {
    const budget = numberOf(budget_tokens)
    if (budget === undefined) refuse('thinking.budget_tokens must be a number')
    return { effort: clientEffort ?? effortOf(budget), budget, visible }
  }
  return clientEffort && { effort: clientEffort }
}

function effortOf(budget: number): Effort {
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}

function readFormat(format: unknown): ReplyFormat | undefined {
  if (!isRecord(format) || format.type !== 'json_schema') return undefined
  if (!isRecord(format.schema)) refuse('output_config.format.schema must be an object')
  return { kind: 'schema', name: 'output', schema: format.schema, strict: true }
}
