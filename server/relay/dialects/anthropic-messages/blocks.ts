import type { Citation } from '../../conversation/conversation.ts'

export function thinkingBlock(thinking: string, signature = '') {
  return { type: 'thinking' as const, thinking, signature }
}

export function redactedBlock(data: string) {
  return { type: 'redacted_thinking' as const, data }
}

/** A place on the web that a text refers to. Only Anthropic's own search has an index to give. */
export function citationOf({ url, title, quote }: Citation) {
  return {
    type: 'web_search_result_location' as const,
    url,
    title: title ?? null,
    cited_text: quote ?? '',
    encrypted_index: '',
  }
}

/** The id of a message. The upstream's is kept if it is one of Anthropic's. */
export function messageId(upstreamId: string | undefined, requestId: string): string {
  return upstreamId?.startsWith('msg_') ? upstreamId : `msg_${requestId}`
}

/** A picture of a reply as a link in Markdown: a reply has no blocks of images here. */
export function imageLink({ data, mime }: { data: string; mime: string }): string {
  return `\n![image](data:${mime};base64,${data})\n`
}
