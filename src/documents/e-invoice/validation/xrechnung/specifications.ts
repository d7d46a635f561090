const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';

/** The specification identifiers (BT-24) of XRechnung 3.0: the CIUS, its extension, and the CIUS for clean vehicles. */
export const CIUS = XRECHNUNG;
export const EXTENSION = `${XRECHNUNG}#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0`;
export const CLEAN_VEHICLES = `${XRECHNUNG}#compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9`;

export const SPECIFICATIONS: readonly string[] = [CIUS, EXTENSION, CLEAN_VEHICLES];
