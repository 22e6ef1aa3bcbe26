import { useStatus } from '../api/status.ts'

/**
 * Where programs reach the gateway: what the operator has set. The default says "localhost", which is right for nobody who
 * reads this from elsewhere; for them it is the address that they came by.
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
