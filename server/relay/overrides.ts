import type { UpstreamRequest } from './providers/provider.ts'

export function withOverrides(request: UpstreamRequest, _: unknown): UpstreamRequest {
  return request
}
