import { AreasPage } from '../options/areas-page.tsx'
import { SYSTEM_AREAS } from './areas.ts'

/** The platform's address, sign-in, payment and mail settings. */
export default function SystemSettings() {
  return <AreasPage areas={() => SYSTEM_AREAS} />
}
