"""Store advance widths of a Verdana-like font.

Measured from DejaVu Sans and Noto Sans; only advance widths, no outline of a font.  Only
`status_contracts.svg.text` reads it.
"""

from typing import Final

ADVANCES: Final = """\
U+0020 318 401 460 838 636 950 780 275 390*2 500 838 318 361 318 337 636*10 337*2 838*3 531 1000
684 686 698 770 632 575 775 752 295*2 656 557 863 748 787 603 787 695 635 611 732 684 989 685 611
685 390 337 390 838 500*2 613 635 550 635 615 352 635 634 278*2 579 278 974 634 612 635*2 411 521
392 634 592 818 592*2 525 636 337 636 838 U+00A0 318 401 636*4 337 500*2 1000 471 612 838 U+00AE
1000 500*2 838 401*2 500 636*2 318 500 401 471 612 969*3 531 U+00C6 974 U+00D0 775 U+00D7 838 787
U+00DE 605 630 U+00E6 982 U+00F0 612 U+00F7 838 612 U+00FE 635 U+0110 775 635 U+0126 916 695
U+0131 278 590 556 U+0138 579 U+013E 375 557 342 562 284 U+0149 813 748 634 U+0152 1070 1023
U+0166 611 392 U+017F 352 635 735 686 635 686 635 703 698 550 775 819 686 635 612 632 787 614 575
352 775 687 984 354 295 746 579 278 592 974 748 634 787 913 612 949 759 652 635 695 635 521 632
336 392 611 392 611 858 634 764 721 744 730 685 525 666*2 578 525 636 666 578 510 635 295 492 459
295 1422 1299 1154 835 787 457 931 924 797 U+01DD 615 U+01E4 775 635 U+01EF 578 278 1422 1299 1154
775 635 1113 682 U+021C 627 521 752 634 735 838 698 610 685 525 U+0234 475 843 477 278 998*2 684
698 550 557 611 521 525 603 479 686 732 684 632 615 295 278 781 635 695 411 611 592 U+2000 500
1000 500 1000 330 250 167 636 318 200 100 U+2010 361*2 636 500 1000*2 500*2 318*4 518*4 500*2
590*2 334 667 1000 318 0*2 U+202F 200 1342 1735 227 374 520 227 374 520 339 400*2 838 485 531 500
804*2 250 1000 500 167 390*2 922 733*2 497 636 500*3 337 804 500 450 1000 804 838 586 663 838*2
318 797 838 318*2 222 U+266A 638 896
"""
"""A code point, then advances from there on in thousandths (`838*112`: many)."""

COARSE: Final = """\
U+0250 cdddbbdeccgbbgd6eddccddd6778a6ejjjdddchfd88888bbcca779788dcccgccaaccaaaagcded6dafaaklkhcghe
daadd8845668a7696666677aaaaaa6aaa6aaa7766aa86aaaaaa6a93797aaaaa88aaa8877a699a56666bbb U+0370 dbhd6
6fd00abbb760000aae6fh80g0hh7eebedefg6dehfdgfc0dccgegf U+03B1 ddccbbdc7ccdbbccdcdccdcdh00000dccehed
hdgcdcc9ddhdjhfdgcecfdeccbddb6gcccdehddeeeddgced666mlg000feeecgdmdffefhfgfcecchegelmhieemecccbecib
ddcdfdcddbcchcecijegcbhcccdbba666iid000djhfdjfignkgclgdbhigcgdgdkijfoljheba U+048A feeccdcbeccbmid
bececechhfdkimiieebccccccecjgececedjfjf6midcgdfdgeecif60000jkdcgc000000dc000000gc U+04F6 cbigecece
ceckikhecljmjgdfecbfdnkihlkgdkgecmimige U+0531 ffffffdfhfebihfefffgffffegfgffeefbgfgg00665758a0jdd
dddadfdd5kcddcddd5dad8jbdddjdd9jdcgg077 U+05BE 706006009 U+05D0 dc8bd57dd4bbbde58ddddbcebed0000098
78d U+0606 dd0fk06 U+061B 6000b090000069b99dddaaaajjjjhhba000006dbc8c8aa88 U+0660 b*11 76bjg000060
000999jj999ddddddda999aaa99aaabcbaaaooooojcllldldggcligcgciciciffffff8ffbd000000aaa00a80g080000a
U+06F0 b*10 U+0903 5ffkaabfhebbbbkkkkfgbcddefffaccbebdacbbbfbecc88effbeceb0509555 U+0949 5555055i
U+0958 fgbfcbfche008c b*10 96ffkkffbfcbe9cbb0990inbeehhd00fh00fhgeddebeigkbcebcedccc0ehcecdc0f000e
deb000b5550000007700jj0a U+09D7 50000eb0dhd0000 c*13 dcef6eae6b90000080fkggdd0000bf00dfccffcddccbc
dcdcbcccd0cccccec0dd0bc0cc0000555 U+0A59 cfdb0c U+0A66 b*10 00bdu06 U+0A83 50inddcihei0iin0nnafdca
dfgee9aaagbc9cb0bafgcc90df0ceced0009555 U+0AC9 5055000i U+0AE0 ie0000 b*10 8g U+0AF9 g U+0B02 690e
iggghgc00ei00eifffffeefefefffffefee0fiehfgf0hg0effee0008406000000bp00pp U+0B57 40000ff0hgc0000
b*10 de4ad9bd U+0B83 i0mqnelv000ggk0kkzg000le0k0oe000xg000gpg000hjdhklhlnrqw0000d50ah000ien0yuz000
n000000l U+0BE6 dglkjlkgmniijkpzlrzlo0000006a60ggekgmti0eef0fffafclffffqkfcffhgeeee0eefflqcgedgebe
el000c0007d8d U+0C58 ffe00000zp0000edfbeeebge U+0C77 lc5aecccfb0b6lhhekowoe0ggg0gggbhdkgghgsjgdffh
cfffe0ggggnrdife0gdgeg000990f7f2a00840fn U+0CD5 84 U+0CDE h0ve0000 e*10 0bf U+0D02 97cuxkzethn0ppz
0fpulkiqljrjxtbdorrkidiikinqdelfdhedjlnoof009a5500000ect0tqy00p0000dlefonljuzsrhq0000cihmgjofjmmis
gipsyznulfolo00960elkkfeeppylwggtiis000kiigilgggtqnighhhokjgchj0egghjhige0h00giggjfh U+0DCF 766000
0009djpnnrb0000006hougci8eo00ibp U+0E01 cbbcccbbcbbiiccbdiicdccbcccddeecccacbcaddbcdbba7088 U+0E3F
d6b6668c U+0E4F cbbcbbbaebafh U+0E81 de0e00ad0e00e000000dddd0dccffee0eee0d0d00eg0degd0bb U+0EBD
d008d9ba0d U+0ED0 ddddccedde00llcc U+1000 medmddnehdmdddepmmddbeeemenendnmdlmmrddderz590000c000000
7005500wdcecceedde59didndedddd7700chdd000e7d8dd9789998pmm0000dddmnmnnnmemd07c0077797d0d7fdeefeebdd
77907jhfehcffi9chidhgdicchhedcdcghccdfhceccf U+10D0 aacgaaagaalaagaagadahagaaabaaaa9aaaaabhbaba96
U+1200 cfaabfficdfbfdhefhifjffijmjijhhihjhhhjhhbcbdcacdcefcfccecffcfdce d*8 g0jddj00dddddfd0e0jddj
00cffcffcecffcffce c*13 fdcbddbeceeg0gdeg008bba9accbeebcbdcbeebfbbcdffdgddfk0iegi00gjjgkgg0n0lhkk0
0fheeehehcfdbeca0beebeebcgggghhgg9adadedfchheeeeechheeeefchhefeegbeecffbch0hbfg00ceecffdekmmjnkjkm
mmmpnmmbfebfdbebeebfdbecfbabcacdcddfdddccccccdcdke00000f5a888c5dbbbbbbbcbbcbcbdbgbbd U+1780 dddjdc
ddpjdddipddcdddddddj6j7ddjjhddjdjddfddededddcd006 U+17BF nn666ll086 U+17D4 cfaczfs7f000ddfhdddgdd0
00000893e985b69 U+1E37 6 U+1E9A c777fc U+1EFA fa U+1F0A iifgef U+1F18 eejkij U+1F28 hhmmlljj
U+1F38 87ddbcaa U+1F48 ghmmjj U+1F59 g0k0k0i U+1F68 ghmmjjij000bdd U+1FBA eeeaaaa000d0ddgfj U+1FDA
a8 U+1FEA hhe U+1FF6 hhjgi000a U+20A0 iddddjdplkgddddpddddfd00ddd00d U+2100 kkemdklcej0kfhdd9ee8gg
lkeeggggieklkefcffc7degehccgcl9fd9d8joefdhggbbcgec770g00b0jjr j*12 b6aeieimqiejnbefh69dgcgkngcgk6b
djpfpebe000j000000 h*61 000 h*48 edaddhddhhehhedffdhhh7dhdddddehhiihaaaaffffaglaglaaadd5d h*8 8
h*19 kk h*20 ll9 h*31 fffhhhhgg h*17 aa h*14 kkhhafffhhggggd6dhkkkkkhff h*8 ss h*20 kkkkkhehhehhkh
ehehccdhhhha8888gggghahhbdfgkh009999aajjnnsnt00shiebgghhekfafffffdfbbffffeeffdfbfffeffbfffef9bh9de
ffffca9dedfb7fff9ffff7dhca7gdejff6ggggnggnjfffigehhhhghf9jjll a*12 fffffffak66ddfff U+23BE e*15
ghja999ggeffffnnnyyyykhkfkhd0000iii0kk0cccciiiiiiik c*34 ddcga U+2440 a*11 U+2460 i*10 m*10 k*140
c*128 f*32 j*10 eejjbbffffaaffaaffffaaffaafffffha h*11 bbgjjj8888hhffffcjjjjjfffmjjjjhhhhfffhh00fi
kiiiiibiiiidkppiiib00iiiiiiiciciiiidfdgbiiie i*12 llliiicffiiiiii U+2654 i*21 900i97aff i*13 0hhhh
hh i*13 0ibiiiiiii0iii0kmoihhhh00hhhhhhffffhff U+26C0 hhhh U+26E2 f U+2701 hhhh0hhhh00 h*28 0 h*35
0i0iiii000i0hhh66bb00 h*21 i*10 h*21 000 h*24 0 h*14 U+FFFD l
"""
"""A code point, then a digit of base 36 for each from there on, in twentieths."""
