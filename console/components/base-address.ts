import { useStatus } from '../api/status.ts'

/**
 * Returns the address for API clients: the operator's setting. Its default, "localhost", is wrong for remote clients; for
 * these, returns the address of this page.
 */
export function useBaseAddress(): string {
  const { data: status } = useStatus()
  return baseAddress(status?.server_address ?? '', window.location.origin)
}

export function baseAddress(configured: string, reached: string): string {
  if (!URL.canParse(configured) || isLocal(configured)) return reached
  return configured.replace(/\/+$/, '')
}

const isLocal = (address: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
