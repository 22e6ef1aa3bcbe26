import { AreasPage } from '../options/areas-page.tsx'
import { SYSTEM_AREAS } from './areas.ts'

/** The settings of the platform's address, sign-in, payments and mail. */
export default function SystemSettings() {
  return <AreasPage areas={() => SYSTEM_AREAS} />
}
