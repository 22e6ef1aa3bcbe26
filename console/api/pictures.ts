import { ApiError, openStream } from './client.ts'
import { readReply } from './reply.ts'

const TIMEOUT_MS = 60_000

/** Downloads an image of another site through the gateway. Throws an ApiError, also if the reply is not an image. */
export async function fetchPicture(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await openStream('POST /api/picture', { body: { url }, signal, timeoutMs: TIMEOUT_MS })
  if (response.headers.get('content-type')?.startsWith('image/')) return response.blob()
  throw new ApiError('refused', readReply(await response.text())?.message)
}
