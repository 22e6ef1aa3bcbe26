import { memo, type ReactNode } from 'react'

/** Freezes its content while the window closes, because the data behind it is already gone. */
export const FrozenWhileClosed = memo(
  ({ children }: { open: boolean; children: ReactNode }) => <>{children}</>,
  (_, { open }) => !open,
)
