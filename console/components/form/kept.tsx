import { memo, type ReactNode } from 'react'

/** Stays as it was while its window goes away: what that was about is no longer open by then. */
export const Kept = memo(
  ({ children }: { open: boolean; children: ReactNode }) => <>{children}</>,
  (_, { open }) => !open,
)
