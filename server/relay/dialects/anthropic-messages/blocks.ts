import { plainCallId } from '../../conversation/call-ids.ts'
import type { Citation } from '../../conversation/conversation.ts'

export function thinkingBlock(thinking: string, signature = '') {
  return { type: 'thinking' as const, thinking, signature }
}

/**
 * Returns a text block. Without citations, the field `citations` is absent, because some clients reject null and an
 * empty list.
 */
export function textBlock(text: string, citations: readonly Citation[] = []) {
  return { type: 'text' as const, text, ...(citations.length > 0 && { citations: citations.map(citationOf) }) }
}

/** Returns a tool call. `direct` means that the model itself calls the tool, not a program that the model runs. */
export function toolUseBlock({ id, name }: { id: string; name: string }, input: Readonly<Record<string, unknown>>) {
  return { type: 'tool_use' as const, id: plainCallId(id), name, input, caller: { type: 'direct' as const } }
}

export function redactedBlock(data: string) {
  return { type: 'redacted_thinking' as const, data }
}

/** Returns a citation of a web page. The encrypted index is empty, because only Anthropic's own search creates one. */
export function citationOf({ url, title, quote }: Citation) {
  return {
    type: 'web_search_result_location' as const,
    url,
    title: title ?? null,
    cited_text: quote ?? '',
    encrypted_index: '',
  }
}

/** Returns the message id: the upstream's id if it has Anthropic's prefix, otherwise an id from the request id. */
export function messageId(upstreamId: string | undefined, requestId: string): string {
  return upstreamId?.startsWith('msg_') ? upstreamId : `msg_${requestId}`
}

/** Returns an image as a Markdown link, because this format has no image blocks in replies. */
export function imageLink({ data, mime }: { data: string; mime: string }): string {
  return `\n![image](data:${mime};base64,${data})\n`
}
