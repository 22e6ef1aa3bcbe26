import type { Json } from '../../json.ts'

const SEARCH = { enable: true, enable_citation: true, enable_trace: true }

/**
 * Enables search if the model name (`searches`) or OpenAI's field requests it; Qianfan's own field wins. Returns the same
 * object if nothing changes.
 */
export function withSearch(body: Json, { searches }: { searches: boolean }): Json {
  const { web_search_options: searchOptions, ...rest } = body
  return searchOptions === undefined && !searches ? body : { web_search: SEARCH, ...rest }
}
