import Alert from '@arco-design/web-react/es/Alert'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client.ts'
import { createToken, getToken, setTokenStatus, TOKEN_STATUS, type Token, updateToken } from '../../api/tokens.ts'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { ThresholdEditor } from '../../components/notices/thresholds.tsx'
import { useAction } from '../../components/saving.ts'
import { rejectInput } from '../../components/show-error.ts'
import { TokenFields } from './token-fields.tsx'
import {
  expiryProblem,
  isRepaired,
  NEW_TOKEN_FORM,
  type TokenFormValues,
  tokenChangesOf,
  tokenFormOf,
  tokenNamesOf,
  tokenSettingsOf,
} from './token-form.ts'

interface Props {
  /** The id of the token to edit or `'new'`; undefined closes the drawer. */
  opened: string | undefined
  onClose: () => void
  /** Called with the new tokens when the drawer closes. */
  onCreated: (tokens: Token[]) => void
}

/** The tokens created during one opening of the drawer. */
interface Run {
  created: Token[]
  /** True while a token is being created. The token's key must be shown with the other keys. */
  busy: boolean
  /** True after the drawer has closed. */
  closed: boolean
}

const newRun = (): Run => ({ created: [], busy: false, closed: false })

export function TokenDrawer({ opened, onClose, onCreated }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<TokenFormValues>()
  const isNew = opened === 'new'
  const { create, createdCount, mustWait } = useTokenCreation({ opened, form, onCreated })
  const token = useQuery({
    queryKey: ['token', 'one', opened],
    queryFn: ({ signal }) => getToken(Number(opened), signal),
    enabled: opened !== undefined && !isNew,
    // Load the token each time, because an edit contains the fields that differ from the initial values. With outdated
    // initial values, an edit could restore spent quota.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

  const updateAction = useAction({
    async run(values: TokenFormValues) {
      const changes = token.data && tokenChangesOf(token.data, values)
      if (!token.data || !changes) return
      const { id } = token.data
      const updatedToken = await updateToken({ id, ...changes })
      // An edit does not change the status, so enable an expired or exhausted token if the edit has removed the cause.
      if (isRepaired(updatedToken, Date.now())) await setTokenStatus({ id, status: TOKEN_STATUS.enabled })
    },
    done: t('token.updated'),
    stale: ['token'],
  })

  async function update(values: TokenFormValues) {
    const changes = token.data && tokenChangesOf(token.data, values)
    const isUnchanged = changes && Object.keys(changes).length === 0
    if (token.data && isUnchanged && !isRepaired(token.data, Date.now())) {
      rejectInput(t('action.nothingChanged'), 'info')
    }
    return updateAction.mutateAsync(values)
  }

  const initialExpiry = isNew || !token.data ? undefined : tokenFormOf(token.data).expires
  function expiryText(): string | undefined {
    const problem = expiryProblem(form.getFieldsValue().expires ?? '', {
      initialText: initialExpiry,
      nowMs: Date.now(),
    })
    return problem && t(`token.${problem}`)
  }

  return (
    <FormDrawer<TokenFormValues>
      title={isNew ? t('token.create') : t('token.update')}
      visible={opened !== undefined}
      form={form}
      initialValues={isNew ? NEW_TOKEN_FORM : token.data && tokenFormOf(token.data)}
      loading={token}
      onSubmit={isNew ? create : update}
      invalidText={(fields) => (fields.includes('expires') ? expiryText() : undefined)}
      onClose={onClose}
      place="open"
    >
      {createdCount > 0 && (
        <Alert
          type="warning"
          style={{ marginBottom: 16 }}
          content={t(mustWait ? 'token.madeUntilBusy' : 'token.madeSome', { count: createdCount })}
        />
      )}
      <TokenFields form={form} isNew={isNew} createdCount={createdCount} initialExpiry={initialExpiry} />
      {!isNew && token.data && <ThresholdEditor subject="token" subject_id={token.data.id} />}
    </FormDrawer>
  )
}

/** Creates tokens one by one, and calls `onCreated` when the drawer closes. */
function useTokenCreation({
  opened,
  form,
  onCreated,
}: Pick<Props, 'opened' | 'onCreated'> & { form: FormInstance<TokenFormValues> }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const run = useRef(newRun())
  const [createdCount, setCreatedCount] = useState(0)
  /** True if the server has rejected a call because of its rate limit. The input is valid, and the user must wait. */
  const [mustWait, setMustWait] = useState(false)
  const end = useEffectEvent((ownRun: Run) => {
    ownRun.closed = true
    if (!ownRun.busy) reportCreated(ownRun)
  })
  // Runs whenever the drawer closes, also by the back button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening starts a new run
  useEffect(() => {
    const ownRun = newRun()
    run.current = ownRun
    setCreatedCount(0)
    setMustWait(false)
    return () => end(ownRun)
  }, [opened])
  const createAction = useAction({
    async run(values: TokenFormValues) {
      const ownRun = run.current
      const settings = tokenSettingsOf(values)
      if (!settings) return ownRun
      const countBefore = ownRun.created.length
      ownRun.busy = true
      setMustWait(false)
      try {
        // Stops after the first rejection, which is reported, and after the drawer closes.
        for (const name of tokenNamesOf({ ...values, name: values.name.trim(), created: countBefore })) {
          if (ownRun.closed) break
          ownRun.created.push(await createToken({ name, ...settings }))
        }
      } catch (error) {
        if (!ownRun.closed) setMustWait(error instanceof ApiError && error.kind === 'too-many')
        throw error
      } finally {
        ownRun.busy = false
        if (ownRun.closed) reportCreated(ownRun)
        else {
          setCreatedCount(ownRun.created.length)
          form.setFieldValue('count', values.count - (ownRun.created.length - countBefore))
        }
        await queryClient.invalidateQueries({ queryKey: ['token'] })
      }
      return ownRun
    },
    done: ({ created }) =>
      created.length === 1 ? t('token.createdDone') : t('token.createdMany', { count: created.length }),
  })

  async function create(values: TokenFormValues) {
    const { closed } = await createAction.mutateAsync(values)
    // If the drawer was closed meanwhile, reject. Otherwise a drawer that was opened since then would close.
    if (closed) throw new Error('closed meanwhile')
  }

  function reportCreated({ created }: Run) {
    if (created.length > 0) onCreated(created)
  }

  return { create, createdCount, mustWait }
}
