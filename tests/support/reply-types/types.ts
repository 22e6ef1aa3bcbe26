import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentResponse } from '@google/genai'
import type OpenAI from 'openai'

/*
 * The types that client libraries give to replies: one name for each document or event. `check.ts` compiles this file
 * with the libraries.
 */

export type ChatCompletion = OpenAI.Chat.ChatCompletion
/** The API sends null for an unknown `system_fingerprint`. */
export type ChatChunk = Omit<OpenAI.Chat.ChatCompletionChunk, 'system_fingerprint'> & {
  system_fingerprint?: string | null
}
export type TextCompletion = OpenAI.Completion
/**
 * The library has one type for bodies and chunks. Before the last chunk, the API sends null for the reason and the
 * usage.
 */
export type TextChunk = Omit<OpenAI.Completion, 'choices' | 'usage'> & {
  choices: (Omit<OpenAI.CompletionChoice, 'finish_reason'> & {
    finish_reason: OpenAI.CompletionChoice['finish_reason'] | null
  })[]
  usage?: OpenAI.CompletionUsage | null
}

/** The library adds `output_text` itself. Until the end of a stream `usage` is null, as the API documents. */
export type ResponseObject = Omit<OpenAI.Responses.Response, 'output_text' | 'usage'> & {
  usage?: OpenAI.Responses.ResponseUsage | null
}
export type ResponseEvent = WithoutText<OpenAI.Responses.ResponseStreamEvent>
type WithoutText<Event> = Event extends { response: OpenAI.Responses.Response }
  ? Omit<Event, 'response'> & { response: ResponseObject }
  : Event
export type OpenAiError = { error: Pick<OpenAI.ErrorObject, 'code' | 'message' | 'param' | 'type'> }
export type EmbeddingList = OpenAI.CreateEmbeddingResponse
export type ModelList = { object: 'list'; data: OpenAI.Model[] }

/** The API omits `citations` of text without any, and the AI SDK rejects null there. */
type Block<Any> = Any extends Anthropic.TextBlock ? Omit<Any, 'citations'> & Partial<Pick<Any, 'citations'>> : Any
export type Message = Omit<Anthropic.Message, 'content'> & { content: Block<Anthropic.ContentBlock>[] }
/** The library skips pings. */
export type MessageEvent = WithBlocks<Anthropic.RawMessageStreamEvent> | { type: 'ping' } | Anthropic.ErrorResponse
type WithBlocks<Event> = Event extends Anthropic.RawMessageStartEvent
  ? Omit<Event, 'message'> & { message: Message }
  : Event extends Anthropic.RawContentBlockStartEvent
    ? Omit<Event, 'content_block'> & { content_block: Block<Event['content_block']> }
    : Event
export type MessageError = Anthropic.ErrorResponse

/** Without the getters of the library's class, which are not in replies. Enums are strings. */
export type GeminiReply = Wire<
  Omit<GenerateContentResponse, 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult'>
>
type Wire<T> = T extends string
  ? `${T}`
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wire<T[Key]> }
      : T
export type GeminiError = { error: { code: number; message: string; status: string; details?: { '@type': string }[] } }
