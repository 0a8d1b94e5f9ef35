import { asked } from './lines.ts';

/** A little of everything, for who wants just a quiz. */
export const general = asked([
  'How many days has a leap year?=366~365~364~360|Wie viele Tage hat ein Schaltjahr?=366~365~364~360|¿Cuántos días tiene un año bisiesto?=366~365~364~360|Combien de jours a une année bissextile ?=366~365~364~360',
  'Which is the largest ocean?=Pacific~Atlantic~Indian~Arctic|Welcher Ozean ist der größte?=Pazifik~Atlantik~Indischer Ozean~Arktischer Ozean|¿Cuál es el océano más grande?=Pacífico~Atlántico~Índico~Ártico|Quel est le plus grand océan ?=Pacifique~Atlantique~Indien~Arctique',
  'How many strings has a violin?=4~5~6~8|Wie viele Saiten hat eine Geige?=4~5~6~8|¿Cuántas cuerdas tiene un violín?=4~5~6~8|Combien de cordes a un violon ?=4~5~6~8',
  'Which animal is the tallest?=Giraffe~Elephant~Camel~Horse|Welches Tier ist das höchste?=Giraffe~Elefant~Kamel~Pferd|¿Qué animal es el más alto?=Jirafa~Elefante~Camello~Caballo|Quel animal est le plus haut ?=La girafe~L’éléphant~Le chameau~Le cheval',
  'In which year did the Berlin Wall fall?=1989~1979~1991~1985|In welchem Jahr fiel die Berliner Mauer?=1989~1979~1991~1985|¿En qué año cayó el Muro de Berlín?=1989~1979~1991~1985|En quelle année est tombé le mur de Berlin ?=1989~1979~1991~1985',
  'Who painted the “Mona Lisa”?=Leonardo da Vinci~Michelangelo~Rembrandt~Vincent van Gogh|Wer malte die „Mona Lisa“?=Leonardo da Vinci~Michelangelo~Rembrandt~Vincent van Gogh|¿Quién pintó la «Mona Lisa»?=Leonardo da Vinci~Miguel Ángel~Rembrandt~Vincent van Gogh|Qui a peint « La Joconde » ?=Léonard de Vinci~Michel-Ange~Rembrandt~Vincent van Gogh',
  'Which planet is called the Red Planet?=Mars~Venus~Jupiter~Saturn|Welcher Planet heißt der Rote Planet?=Mars~Venus~Jupiter~Saturn|¿Qué planeta es el planeta rojo?=Marte~Venus~Júpiter~Saturno|Quelle planète est la planète rouge ?=Mars~Vénus~Jupiter~Saturne',
  'Who wrote “Romeo and Juliet”?=William Shakespeare~Charles Dickens~Jane Austen~Oscar Wilde|Wer schrieb „Romeo und Julia“?=William Shakespeare~Charles Dickens~Jane Austen~Oscar Wilde|¿Quién escribió «Romeo y Julieta»?=William Shakespeare~Charles Dickens~Jane Austen~Oscar Wilde|Qui a écrit « Roméo et Juliette » ?=William Shakespeare~Charles Dickens~Jane Austen~Oscar Wilde',
]);
