import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, type Meant, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import { type Call, events, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const HEAD = { Note: 'made by a machine', Created: 1_700_000_000, Id: 'tencent-1', RequestId: 'request-1' }
const USAGE = {
  Usage: { PromptTokens: PROMPT_TOKENS, CompletionTokens: COMPLETION_TOKENS, TotalTokens: TOTAL_TOKENS },
}

/** Hunyuan behind Tencent Cloud's signature: names in capitals, whole replies wrapped, errors with status 200. */
export const tencent: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  const complaint = complaintAbout(call)
  if (complaint) return fail(call, 'InvalidParameter', complaint)
  if (feature === 'error') return fail(call, 'InternalError', ERROR_TEXT)
  const meant = MEANT[feature]
  if (!body.Stream) {
    const Choices = [{ Index: 0, FinishReason: reasonOf(meant), Message: { Role: 'assistant', ...messageOf(meant) } }]
    return sendJson(call, { Response: { ...HEAD, ...USAGE, Choices } })
  }
  const chunk = (Delta: object, FinishReason = '') => ({
    ...HEAD,
    ...USAGE,
    Choices: [{ Index: 0, FinishReason, Delta }],
  })
  const pieces = [
    ...cut(meant.reasoning).map((ReasoningContent) => chunk({ Role: 'assistant', Content: '', ReasoningContent })),
    ...cut(meant.text).map((Content) => chunk({ Role: 'assistant', Content })),
    ...callDeltas(meant).map((ToolCalls) => chunk({ Role: 'assistant', ToolCalls: [ToolCalls] })),
  ]
  const broken = feature === 'mid-stream break'
  if (broken) return sendStream(call, events(...pieces.slice(0, -1)), { broken })
  sendStream(call, events(...pieces, chunk({ Role: 'assistant', Content: '' }, reasonOf(meant))))
}

function complaintAbout({ headers }: Call): string | undefined {
  if (!/^TC3-HMAC-SHA256 Credential=id-of-the-matrix\//.test(headers.authorization ?? '')) return 'Authorization'
  return headers['x-tc-action'] === 'ChatCompletions' ? undefined : 'Action'
}

function fail(call: Call, Code: string, Message: string): void {
  sendJson(call, { Response: { Error: { Code, Message }, RequestId: 'request-1' } })
}

const reasonOf = ({ calls }: Meant) => (calls ? 'tool_calls' : 'stop')
const callOf = ({ name, args }: { name: string; args: unknown }, Index: number) => ({
  Id: `call_${Index}`,
  Type: 'function',
  Index,
  Function: { Name: name, Arguments: JSON.stringify(args) },
})

function messageOf({ text = '', reasoning, calls }: Meant) {
  return {
    Content: text,
    ...(reasoning && { ReasoningContent: reasoning }),
    ...(calls && { ToolCalls: calls.map(callOf) }),
  }
}

function callDeltas({ calls = [] }: Meant) {
  return calls.map(callOf).flatMap((called) => {
    const { Name, Arguments } = called.Function
    return [
      { ...called, Function: { Name, Arguments: '' } },
      ...cut(Arguments).map((piece) => ({ ...called, Function: { Arguments: piece } })),
    ]
  })
}
