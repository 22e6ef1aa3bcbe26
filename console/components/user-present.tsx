import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { confirmPassword } from '../api/users.ts'
import { Field } from './form/field.tsx'
import { FormDialog } from './form/form-dialog.tsx'
import { PasswordInput } from './form/password-input.tsx'
import { useAction } from './saving.ts'
import { rejectInput } from './show-error.ts'

interface PendingCall {
  proceed: () => void
  cancel: () => void
}

/** Runs a call. If the server requires the current password, asks the user for the password and runs the call again. */
export type Ensure = <T>(run: () => Promise<T>) => Promise<T>

/**
 * Returns `ensure` for calls that change credentials, because the server requires a sign-in within the last ten
 * minutes. Render `dialog` in the page. If the user closes the dialog, the call rejects with the server's error, which
 * suggests to sign in again.
 */
export function useUserPresent(): { ensure: Ensure; dialog: ReactNode } {
  const [pendingCall, setPendingCall] = useState<PendingCall>()

  async function ensure<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'CURRENT_PASSWORD_NEEDED')) throw error
      await new Promise<void>((resolve, reject) => setPendingCall({ proceed: resolve, cancel: () => reject(error) }))
      return run()
    }
  }

  // If `proceed` was called before, `cancel` has no effect.
  function close() {
    pendingCall?.cancel()
    setPendingCall(undefined)
  }
  const dialog = (
    <CurrentPasswordDialog
      visible={pendingCall !== undefined}
      onConfirmed={() => pendingCall?.proceed()}
      onClose={close}
    />
  )
  return { ensure, dialog }
}

function CurrentPasswordDialog({
  visible,
  onConfirmed,
  onClose,
}: {
  visible: boolean
  onConfirmed: () => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const confirmAction = useAction({ run: confirmPassword })

  async function submit({ current }: { current: string }) {
    if (current === '') rejectInput(t('personal.currentPasswordMissing'))
    await confirmAction.mutateAsync(current)
    onConfirmed()
  }

  return (
    <FormDialog<{ current: string }>
      title={t('personal.enterCurrentPassword')}
      visible={visible}
      initialValues={{ current: '' }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('personal.currentPassword')} field="current" extra={t('personal.currentPasswordWhy')}>
        <PasswordInput autoFocus autoComplete="current-password" />
      </Field>
    </FormDialog>
  )
}
