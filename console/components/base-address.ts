import { useStatus } from '../api/status.ts'

/**
 * Returns the gateway's address for API clients. This is the operator's setting. If the setting is invalid or a local address,
 * such as the default `localhost`, remote clients cannot use it. Then this is the origin of the current page.
 */
export function useBaseAddress(): string {
  const { data: status } = useStatus()
  return baseAddress(status?.server_address ?? '', window.location.origin)
}

export function baseAddress(configured: string, pageOrigin: string): string {
  if (!URL.canParse(configured) || isLocal(configured)) return pageOrigin
  return configured.replace(/\/+$/, '')
}

const isLocal = (address: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
