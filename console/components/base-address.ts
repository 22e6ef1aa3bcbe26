import { useStatus } from '../api/status.ts'

/**
 * Returns the gateway's address for API clients, without a slash at the end. Returns the operator's setting, or the
 * origin of the page if the setting is invalid or local. Remote clients cannot use a local address such as `localhost`.
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
