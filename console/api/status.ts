import { useQuery } from '@tanstack/react-query'
import { readStored, writeStored } from '../storage.ts'
import { call } from './client.ts'

/** The part of the platform's public status that the console uses. */
export interface Status {
  system_name: string
  logo: string
  version: string
  footer_html: string
  quota_per_unit: number
  display_in_currency: boolean
  enable_data_export: boolean
}

export const STATUS_KEY = 'status'

/** The platform's status. That of the last visit stands in until the server answers, so that nothing flickers. */
export function useStatus() {
  return useQuery({
    queryKey: [STATUS_KEY],
    queryFn: async ({ signal }) => {
      const status = await call<Status>('/api/status', { signal })
      writeStored('status', status)
      return status
    },
    initialData: () => readStored('status', isStatus),
    initialDataUpdatedAt: 0,
    staleTime: 60_000,
  })
}

function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false
  return 'system_name' in value && typeof value.system_name === 'string' && 'quota_per_unit' in value
}
